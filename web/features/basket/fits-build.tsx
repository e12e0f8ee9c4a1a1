import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { buildPath } from '#contracts/basket.ts'
import type { Fit } from '#contracts/part-lists.ts'
import type { PartOnSale } from '#contracts/part-pages.ts'
import { FitMark } from '#web/components/fit-mark.tsx'
import { keptBasket, useBasket } from '#web/lib/basket.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'

// the rules come when a basket has something to judge
const loadVerdict = withTimeout(() => import('./fit-of-part.ts'))

/** Says on a part's page whether it fits the visitor's build, or why not. */
export function FitsBuild({ part }: { part: Pick<PartOnSale, 'number' | 'name'> }) {
  const lines = useBasket()
  const { number } = part
  const [fit, setFit] = useState<Fit>()
  useEffect(() => {
    let isOver = false
    setFit(undefined)
    if (lines.some((line) => line.number !== number))
      loadVerdict()
        .then(({ fitOfPart }) => fitOfPart(number, keptBasket()))
        .then(
          (found) => {
            if (!isOver) setFit(found)
          },
          // offline: the build says it later
          () => {},
        )
    return () => {
      isOver = true
    }
  }, [lines, number])
  // the place is kept, so that nothing moves when the verdict comes
  return (
    <div className="mt-2 min-h-11">
      {fit && (
        <div className="flex flex-wrap items-center gap-x-3">
          <FitMark {...fit} text={fit.level === 'fits' ? 'Fits your build' : fit.text} />
          <Link
            to={buildPath(lines)}
            rel="nofollow"
            className="link inline-flex min-h-11 items-center text-sm"
          >
            See your build
          </Link>
        </div>
      )}
    </div>
  )
}
