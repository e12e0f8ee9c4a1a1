/** The lines of a basket or a build: each part with its price, its steps and what is wrong with it. */
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { type BasketLine, basketText, withQuantity } from '#contracts/basket.ts'
import { isBookable } from '#contracts/catalogue.ts'
import type { BasketPart } from '#contracts/compare.ts'
import { fewestUnits, totalPriceOf } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import { ChangeLink } from '#web/components/change-link.tsx'
import { Picture } from '#web/components/picture.tsx'
import { opensElsewhere } from '#web/lib/opens-elsewhere.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { type TakenOut, useChangeLines, useListPath, useTakenOut } from './kept-lines.ts'

export type Line = BasketLine & {
  /** Null when it is not on sale. */
  part: BasketPart | null
}

/** Why a line cannot be booked, and how many units could be; 0 means none. */
export function problemOf(
  { part, quantity }: Line,
  fewest: number,
): { text: string; take: number } | null {
  if (!part) return { text: 'This part is no longer sold.', take: 0 }
  const { availableQuantity: available } = part
  if (!isBookable(part)) {
    const text =
      available > 0 ? `Only ${available} left, fewer than the minimum order.` : 'Out of stock.'
    return { text, take: 0 }
  }
  if (quantity > available) return { text: `Only ${available} left.`, take: available }
  if (quantity < fewest) return { text: `The minimum order is ${fewest}.`, take: fewest }
  return null
}

type StepProps = { lines: BasketLine[]; line: Line; fewest: number; by: 1 | -1; label: string }

/**
 * A link to the basket with one unit more or fewer, which works without scripts too. At the end of
 * the range it has no target, but keeps its place and the focus.
 */
function Step({ lines, line: { number, part, quantity }, fewest, by, label }: StepProps) {
  const listPath = useListPath()
  const changeLines = useChangeLines()
  const state = useTakenOut()
  const most = part?.availableQuantity ?? 0
  // outside the range, a step goes to the nearest limit
  const next = (units: number) => Math.max(fewest, Math.min(most, units + by))
  const stepped = (all: readonly BasketLine[]) => {
    const units = all.find((line) => line.number === number)?.quantity ?? quantity
    return withQuantity(all, number, next(units))
  }
  function step(event: MouseEvent) {
    if (opensElsewhere(event)) return
    event.preventDefault()
    changeLines(stepped, state)
  }
  return (
    <Link
      to={listPath(stepped(lines))}
      rel="nofollow"
      onClick={step}
      aria-label={label}
      aria-disabled={next(quantity) === quantity || undefined}
    >
      {by > 0 ? '+' : '−'}
    </Link>
  )
}

type TakeProps = {
  lines: BasketLine[]
  number: number
  quantity: number
  state: TakenOut | null
  label?: string
  className?: string
  children: ReactNode
}

/** A link to the basket with so many units of a part; with none, the part is removed. */
function Take({ lines, number, quantity, state, label, children, ...look }: TakeProps) {
  const listPath = useListPath()
  const changeLines = useChangeLines()
  const taken = (all: readonly BasketLine[]) => withQuantity(all, number, quantity)
  return (
    <ChangeLink
      to={listPath(taken(lines))}
      state={state}
      aria-label={label}
      {...look}
      onClick={(event) => {
        if (opensElsewhere(event)) return
        event.preventDefault()
        changeLines(taken, state)
      }}
    >
      {children}
    </ChangeLink>
  )
}

type LineProps = { line: Line; lines: BasketLine[]; before: number | undefined }

function Notes({ line, lines, before }: LineProps) {
  const money = useMoney()
  const fewest = useFewest(line)
  const { part, number } = line
  const problem = problemOf(line, fewest)
  const name = part?.name ?? `Part ${number}`
  const state = useTakenOut()
  const removed: TakenOut = { parts: basketText([line]), name }
  return (
    <div className="line-notes">
      {problem && <p className="font-semibold text-amber text-sm">{problem.text}</p>}
      {problem && problem.take > 0 && (
        <Take {...{ lines, number, state }} quantity={problem.take}>
          Take {problem.take}
        </Take>
      )}
      {part && problem && !isBookable(part) && (
        <Link to={partPath(part)} className="link inline-flex min-h-11 items-center">
          Join the queue
        </Link>
      )}
      {part && before !== undefined && before !== part.price && (
        <p className="text-sm">
          Price changed from {money(before)} to {money(part.price)}
        </p>
      )}
      <Take
        {...{ lines, number }}
        quantity={0}
        state={removed}
        label={`Remove ${name}`}
        className="link inline-flex min-h-11 items-center text-sm"
      >
        Remove
      </Take>
    </div>
  )
}

/** The fewest units that a line can have. */
function useFewest({ part }: Line): number {
  const currency = useCurrency()
  return part ? fewestUnits(part, currency) : 1
}

export function LineRow(props: LineProps) {
  const money = useMoney()
  const { line, lines } = props
  const { part, quantity, number } = line
  const fewest = useFewest(line)
  if (!part) {
    return (
      <li className="basket-line">
        <span />
        <p className="font-semibold">Part {number}</p>
        <Notes {...props} />
      </li>
    )
  }
  const step = { lines, line, fewest }
  return (
    <li className="basket-line">
      <div className="card overflow-hidden">
        <Picture src={part.image} facts={part.picture} alt="" sizes="88px" />
      </div>
      <div className="min-w-0">
        <Link to={partPath(part)} className="link inline-flex min-h-11 items-center break-words">
          {part.name}
        </Link>
        <p className="text-dim text-sm">
          {money(part.price)} each
          {isBookable(part) && `, ${part.availableQuantity} in stock`}
        </p>
      </div>
      <div className="basket-amounts">
        <div className="basket-steps">
          {isBookable(part) && <Step {...step} by={-1} label={`One fewer ${part.name}`} />}
          <span className="font-mono tabular-nums">
            <span className="sr-only">Quantity </span>
            {quantity}
          </span>
          {isBookable(part) && <Step {...step} by={1} label={`One more ${part.name}`} />}
        </div>
        <p className="font-mono tabular-nums">{money(totalPriceOf(quantity, part.price))}</p>
      </div>
      <Notes {...props} />
    </li>
  )
}
