/** The verdicts on a build: what does not fit, what is not known, what it draws and what it lacks. */
import { Link } from 'react-router'
import { type BasketLine, choicesPath } from '#contracts/basket.ts'
import type { BasketParts } from '#contracts/compare.ts'
import {
  drawOf,
  type FitPart,
  type Judgement,
  type Missing,
  missingOf,
  resultText,
  type Verdict,
} from '#contracts/fit.ts'
import { FitMark } from '#web/components/fit-mark.tsx'

const missingWords: Record<Missing, string> = {
  processor: 'a processor',
  motherboard: 'a board',
  'memory-module': 'memory',
  'storage-drive': 'a drive',
  'power-supply': 'a power supply',
  case: 'a case',
  cooler: 'a cooler, because the processor comes without one',
  picture: 'a graphics card, because the processor has no graphics',
}

const inWords = new Intl.ListFormat('en', { type: 'conjunction' })

type JudgedParts = {
  /** Those of the build that rules know, as they were judged. */
  parts: FitPart[]
  /** The kinds that rules know, with the lists of each. */
  kinds: BasketParts['kinds']
  /** The lines that the lists are judged with. */
  lines: BasketLine[]
}

/** The lists with another part for one that a verdict is about; a sum of many parts names two. */
function Others({ verdict, parts, kinds, lines }: JudgedParts & { verdict: Verdict }) {
  const about = [...new Set(verdict.parts.map((place) => parts[place]?.kind))].slice(0, 2)
  const lists = kinds.filter(({ kind }) => about.includes(kind))
  if (lists.length === 0 || lines.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 ps-7">
      {lists.map(({ slug, name }) => (
        <Link
          key={slug}
          to={choicesPath(slug, lines)}
          rel="nofollow"
          className="link inline-flex min-h-11 items-center text-sm"
        >
          Another {name}
        </Link>
      ))}
    </p>
  )
}

function Verdicts({ verdicts, ...judged }: JudgedParts & { verdicts: Verdict[] }) {
  return (
    <ul className="grid gap-2">
      {verdicts.map((verdict) => (
        <li key={verdict.text}>
          <FitMark level={verdict.level} text={verdict.text} />
          {(verdict.level === 'problem' || verdict.level === 'warning') && (
            <Others verdict={verdict} {...judged} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** The watts of the build, with what they are summed from. */
function Draws({ parts }: Pick<JudgedParts, 'parts'>) {
  const { draws, lacks } = drawOf(parts)
  const sum = draws.reduce((total, { watts }) => total + watts, 0)
  if (sum === 0) return null
  return (
    <details>
      <summary className="cursor-pointer py-2">
        Draws up to {sum} W{lacks.length > 0 && ', as far as we know'}
      </summary>
      <dl className="spec">
        {draws.map(({ part, watts, says }) => (
          <div key={part}>
            <dt>
              {parts[part]?.name}
              {says && `, ${says}`}
            </dt>
            <dd>{watts} W</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const order: Verdict['level'][] = ['problem', 'warning', 'unknown', 'tight', 'note']

export function Judged({ judgement, ...judged }: JudgedParts & { judgement: Judgement }) {
  const { parts } = judged
  const { verdicts } = judgement
  const said = order.flatMap((level) => verdicts.filter((verdict) => verdict.level === level))
  const fitting = verdicts.filter(({ level }) => level === 'fits')
  const missing = parts.length > 0 ? missingOf(parts) : []
  const text = resultText(judgement)
  return (
    <section aria-labelledby="fit-title" className="mb-4">
      <h2 id="fit-title" className="mb-2 text-xl font-semibold">
        Does it fit?
      </h2>
      <p role="status" className="mb-3 font-semibold">
        {text ?? 'Choose two parts to see whether they work together.'}
      </p>
      <Verdicts verdicts={said} {...judged} />
      {fitting.length > 0 && (
        <details>
          <summary className="cursor-pointer py-2">
            {fitting.length === 1 ? 'One thing fits' : `${fitting.length} things fit`}
          </summary>
          <Verdicts verdicts={fitting} {...judged} />
        </details>
      )}
      <Draws parts={parts} />
      {parts.length > 0 && (
        <p className="py-2">
          {missing.length > 0
            ? `To complete your PC, you still need ${inWords.format(missing.map((each) => missingWords[each]))}.`
            : !text?.includes('not') && 'That’s a complete PC.'}
        </p>
      )}
    </section>
  )
}
