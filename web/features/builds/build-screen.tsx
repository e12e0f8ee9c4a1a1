import '#web/styles/basket.css'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type BasketLine, choicesPath, maxLines } from '#contracts/basket.ts'
import type { Build } from '#contracts/builds.ts'
import type { BasketParts } from '#contracts/compare.ts'
import { fitPartsOf, judge } from '#contracts/fit.ts'
import { slotId, slots } from '#contracts/pc-kinds.ts'
import { oneOf } from '#contracts/plural.ts'
import { PrintHead, Summary, TakenOutNote } from '#web/features/basket/basket-sum.tsx'
import { useList } from '#web/features/basket/kept-lines.ts'
import { type Line, LineRow } from '#web/features/basket/line-rows.tsx'
import { Judged } from './judged.tsx'
import { StartBuilds } from './start-builds.tsx'

type Kinds = BasketParts['kinds']

type SlotProps = {
  id?: string
  name: string
  kinds: Kinds
  lines: Line[]
  all: BasketLine[]
  seen: ReturnType<typeof useList>['seen']
}

/** A place of the PC: the parts in it, and links to the lists that have others. */
function Slot({ id, name, kinds, lines, all, seen }: SlotProps) {
  const chosen = lines.length > 0
  return (
    <section id={id} className="build-slot" aria-label={name}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="font-semibold">{name}</h2>
        <p className="flex flex-wrap gap-x-4">
          {kinds.map((kind) => (
            <Link
              key={kind.slug}
              to={choicesPath(kind.slug, all)}
              rel="nofollow"
              className="link inline-flex min-h-11 items-center text-sm"
            >
              {chosen ? `Another ${kind.name}` : `Choose ${oneOf(kind.name)}`}
            </Link>
          ))}
        </p>
      </div>
      {chosen && (
        <ul>
          {lines.map((line) => (
            <LineRow key={line.number} line={line} lines={all} before={seen.get(line.number)} />
          ))}
        </ul>
      )}
    </section>
  )
}

type BuildProps = BasketParts & {
  /** Those of the shop. */
  builds: Build[]
  /** The builds that the user keeps. */
  kept: ReactNode
}

/** The parts of a PC by their places, whether they fit together, what they draw and what they cost. */
export function BuildScreen({ parts, kinds, builds, kept }: BuildProps) {
  const { named, lines, seen } = useList(parts)
  const known: Set<string> = new Set(slots.flatMap((slot) => slot.kinds))
  const others = lines.filter(({ part }) => !part?.fit || !known.has(part.fit.kind))
  const fitParts = fitPartsOf(lines)
  const shared = { all: named, seen }
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      <PrintHead />
      <div className="basket-head">
        <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Build
        </h1>
        <TakenOutNote lines={named} />
      </div>
      <p className="mb-6 max-w-[68ch] text-dim">
        Choose a part for each slot. As you go, we show what fits your choices and what we can’t
        check. Your build is also your basket.
      </p>
      {lines.length === 0 && <StartBuilds builds={builds} />}
      <div className="build-columns">
        <div>
          {slots.map((slot) => (
            <Slot
              key={slot.name}
              id={slotId(slot.kinds[0])}
              name={slot.name}
              kinds={kinds.filter(({ kind }) => slot.kinds.some((each) => each === kind))}
              lines={lines.filter(({ part }) =>
                slot.kinds.some((each) => each === part?.fit?.kind),
              )}
              {...shared}
            />
          ))}
          {others.length > 0 && <Slot name="And also" kinds={[]} lines={others} {...shared} />}
          {lines.length === maxLines && (
            <p className="mt-4 text-dim text-sm">A build holds up to {maxLines} parts.</p>
          )}
        </div>
        <div className="build-side">
          <Judged parts={fitParts} judgement={judge(fitParts)} kinds={kinds} lines={named} />
          {lines.length > 0 && <Summary lines={lines} name="build" />}
          {kept}
        </div>
      </div>
    </div>
  )
}
