/** The verdicts on a build: what does not fit, what is not known, what it draws and what it lacks. */
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
  cooler: 'a cooler, which the processor comes without',
  picture: 'a graphics card, because the processor has no graphics',
}

const inWords = new Intl.ListFormat('en', { type: 'conjunction' })

function Verdicts({ verdicts }: { verdicts: Verdict[] }) {
  return (
    <ul className="grid gap-2">
      {verdicts.map(({ level, text }) => (
        <li key={text}>
          <FitMark level={level} text={text} />
        </li>
      ))}
    </ul>
  )
}

/** The watts of the build, with what they are summed from. */
function Draws({ parts }: { parts: FitPart[] }) {
  const { draws, lacks } = drawOf(parts)
  const sum = draws.reduce((total, { watts }) => total + watts, 0)
  if (sum === 0) return null
  return (
    <details>
      <summary className="cursor-pointer py-2">
        Draws {sum} W at the most{lacks.length > 0 && ', as far as it is known'}
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

/** @param parts those of the build that rules know, as they were judged */
export function Judged({ parts, judgement }: { parts: FitPart[]; judgement: Judgement }) {
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
        {text ?? 'Choose two parts, and this says whether they go together.'}
      </p>
      <Verdicts verdicts={said} />
      {fitting.length > 0 && (
        <details>
          <summary className="cursor-pointer py-2">
            {fitting.length === 1 ? 'One thing fits' : `${fitting.length} things fit`}
          </summary>
          <Verdicts verdicts={fitting} />
        </details>
      )}
      <Draws parts={parts} />
      {parts.length > 0 && (
        <p className="py-2">
          {missing.length > 0
            ? `A whole PC also needs ${inWords.format(missing.map((each) => missingWords[each]))}.`
            : !text?.includes('not') && 'This is a whole PC.'}
        </p>
      )}
    </section>
  )
}
