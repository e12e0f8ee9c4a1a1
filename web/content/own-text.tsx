import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Block, Line, Run, TextName, TextSection } from '#contracts/texts.ts'
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
  return text.replaceAll(/\{([a-z -]+)\}/g, (typed, name) =>
    Object.hasOwn(named, name) ? (named[name] ?? typed) : typed,
  )
}

function Piece({ run, facts }: { run: Run; facts: Facts }) {
  let piece: ReactNode = filled(run.text, facts)
  if (run.code) piece = <code>{piece}</code>
  if (run.emphasis) piece = <em>{piece}</em>
  return run.strong ? <strong>{piece}</strong> : piece
}

function LineOf({ line, facts }: { line: Line; facts: Facts }) {
  return line.map((piece, i) => {
    if (!('to' in piece)) return <Piece key={i} run={piece} facts={facts} />
    const to = filled(piece.to, facts)
    const words = <LineOf line={piece.runs} facts={facts} />
    // a name in braces could lead elsewhere
    if (/^\/[/\\]/.test(to)) return <Fragment key={i}>{words}</Fragment>
    return to.startsWith('/') ? (
      <Link key={i} to={to}>
        {words}
      </Link>
    ) : (
      <a key={i} href={to}>
        {words}
      </a>
    )
  })
}

function BlockOf({ block, facts }: { block: Block; facts: Facts }) {
  if (block.type === 'list') {
    const List = block.ordered ? 'ol' : 'ul'
    return (
      <List>
        {block.items.map((line, i) => (
          <li key={i} className="whitespace-pre-line">
            <LineOf line={line} facts={facts} />
          </li>
        ))}
      </List>
    )
  }
  const words = <LineOf line={block.line} facts={facts} />
  if (block.type === 'heading') return <h3 className="font-semibold">{words}</h3>
  const [first, ...more] = block.line
  const isContact = first && 'text' in first && first.text === '{contact details}'
  if (isContact && more.length === 0) return <ContactDetails shop={facts.shop} />
  return <p className="whitespace-pre-line">{words}</p>
}

/** The sections of an owner's own text, with the shop's facts for the names in braces. */
export const ownSections = (sections: TextSection[], facts: Facts): Section[] =>
  sections.map(({ heading, blocks }) => ({
    heading: filled(heading, facts),
    body: blocks.map((block, i) => <BlockOf key={i} block={block} facts={facts} />),
  }))
