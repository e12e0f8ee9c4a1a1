import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Block, Run, TextName, TextSection } from '#contracts/texts.ts'
import { ContactDetails } from './contact-details.tsx'
import type { Facts, Section } from './text-page.ts'

type Named = Record<Exclude<TextName, 'contact details'>, string>

const namedFacts = ({ shop, currency, holdTime, renewal, expireDays }: Facts): Named => ({
  'shop name': shop.name,
  owner: shop.owner,
  'e-mail': shop.email,
  phone: shop.phone,
  currency,
  'hold time': holdTime,
  'hold renewal': renewal,
  'days unpaid': String(expireDays),
})

/** Replaces the names in braces; others stay as they were typed. */
const filled = (text: string, facts: Facts) => {
  const named: Record<string, string> = namedFacts(facts)
  return text.replaceAll(/\{([a-z -]+)\}/g, (typed, name) => named[name] ?? typed)
}

function Piece({ run, facts }: { run: Run; facts: Facts }) {
  let piece: ReactNode = filled(run.text, facts)
  if (run.code) piece = <code>{piece}</code>
  if (run.emphasis) piece = <em>{piece}</em>
  if (run.strong) piece = <strong>{piece}</strong>
  if (run.to === undefined) return piece
  const to = filled(run.to, facts)
  return to.startsWith('/') ? <Link to={to}>{piece}</Link> : <a href={to}>{piece}</a>
}

const pieces = (runs: Run[], facts: Facts) =>
  runs.map((run, i) => <Piece key={i} run={run} facts={facts} />)

function BlockOf({ block, facts }: { block: Block; facts: Facts }) {
  if (block.type === 'list') {
    const List = block.ordered ? 'ol' : 'ul'
    return (
      <List>
        {block.items.map((runs, i) => (
          <li key={i} className="whitespace-pre-line">
            {pieces(runs, facts)}
          </li>
        ))}
      </List>
    )
  }
  const { runs } = block
  if (block.type === 'heading') return <h3 className="font-semibold">{pieces(runs, facts)}</h3>
  if (runs.length === 1 && runs[0]?.text === '{contact details}')
    return <ContactDetails shop={facts.shop} />
  return <p className="whitespace-pre-line">{pieces(runs, facts)}</p>
}

/** The sections of an owner's own text, with the shop's facts for the names in braces. */
export const ownSections = (sections: TextSection[], facts: Facts): Section[] =>
  sections.map(({ heading, blocks }) => ({
    heading: filled(heading, facts),
    body: blocks.map((block, i) => <BlockOf key={i} block={block} facts={facts} />),
  }))
