import { Link } from 'react-router'
import { buildPath } from '#contracts/basket.ts'
import { fitPartsOf, judge, resultText, withMore, worstOf } from '#contracts/fit.ts'
import { FitMark } from '#web/components/fit-mark.tsx'
import type { Line } from './line-rows.tsx'

/** Says quietly whether the parts of a basket fit together, and leads to the build. */
export function FitNote({ lines }: { lines: Line[] }) {
  const judgement = judge(fitPartsOf(lines))
  const { result, verdicts } = judgement
  if (result === 'nothing' || result === 'several') return null
  const worst = result === 'problem' || result === 'warning' ? worstOf(verdicts) : undefined
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 pt-3">
      <FitMark
        level={result}
        text={worst ? withMore(worst.text, worst.level, verdicts) : (resultText(judgement) ?? '')}
      />
      <Link
        to={buildPath(lines)}
        rel="nofollow"
        className="link inline-flex min-h-11 items-center text-sm"
      >
        See it as a PC build
      </Link>
    </div>
  )
}
