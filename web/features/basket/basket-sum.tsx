/** The sum of a basket or a build, and what can be done with all of it. */

import { type BasketLine, basketIn, basketText, basketTotal } from '#contracts/basket.ts'
import { fewestUnits, totalPriceOf } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ChangeLink } from '#web/components/change-link.tsx'
import { DeliveryOffer } from '#web/components/delivery-offer.tsx'
import { PriceNote } from '#web/components/price-note.tsx'
import { copyText } from '#web/lib/copy-text.ts'
import { useFocusFallback } from '#web/lib/focus-fallback.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { useShopName } from '#web/lib/use-shop.ts'
import { useListPath, useTakenOut } from './kept-lines.ts'
import { type Line, problemOf } from './line-rows.tsx'

/** What can be done with the whole basket or build: share, copy, print. */
function Tools({ lines, sum, name }: { lines: Line[]; sum: string; name: 'basket' | 'build' }) {
  const money = useMoney()
  const sold = lines.flatMap(({ part, quantity }) =>
    part ? [{ part, quantity, total: money(totalPriceOf(quantity, part.price)) }] : [],
  )
  const text = () => {
    const rows = sold.map(({ part, quantity, total }) => `${quantity} × ${part.name}, ${total}`)
    return [...rows, `Total ${sum}`, location.href].join('\n')
  }
  // forums and chats draw a table
  const markdown = () => {
    const cell = (words: string) => words.replaceAll(/[|\\[\]]/g, '\\$&')
    const rows = sold.map(
      ({ part, quantity, total }) =>
        `| ${quantity} | [${cell(part.name)}](${location.origin}${partPath(part)}) | ${total} |`,
    )
    return ['| | Part | Price |', '| --: | -- | --: |', ...rows, `| | Total | ${sum} |`].join('\n')
  }
  const link = 'link needs-script inline-flex min-h-11 cursor-pointer items-center text-sm'
  return (
    <div className="basket-tools">
      <button
        type="button"
        className={link}
        onClick={() => void copyText(location.href, `Link to this ${name} copied`)}
      >
        Copy link
      </button>
      <button
        type="button"
        className={link}
        onClick={() => void copyText(text(), `Copied the ${name} as text`)}
      >
        Copy as text
      </button>
      {name === 'build' && (
        <button
          type="button"
          className={link}
          onClick={() => void copyText(markdown(), 'Copied the build as Markdown')}
        >
          Copy as Markdown
        </button>
      )}
      <button type="button" className={link} onClick={() => print()}>
        Print
      </button>
    </div>
  )
}

/** The sum, and a link to book everything, or only what can be booked. */
export function Summary({ lines, name }: { lines: Line[]; name: 'basket' | 'build' }) {
  const money = useMoney()
  const currency = useCurrency()
  const listPath = useListPath()
  const ref = useFocusFallback<HTMLAnchorElement>()
  const mended = lines.flatMap((line) => {
    const fewest = line.part ? fewestUnits(line.part, currency) : 1
    const problem = problemOf(line, fewest)
    if (problem?.take === 0) return []
    return [{ number: line.number, quantity: problem?.take ?? line.quantity }]
  })
  const isFine = basketText(mended) === basketText(lines)
  const total = basketTotal(lines)
  const sum = money(total)
  return (
    <>
      <div className="basket-sum" data-covers-bottom="">
        <div>
          <p className="font-semibold">
            Total <span className="font-display text-2xl tabular-nums tracking-tight">{sum}</span>
          </p>
          <PriceNote />
          <DeliveryOffer lines={lines} />
        </div>
        {isFine ? (
          <ButtonLink ref={ref} to={`/purchase?parts=${basketText(lines)}`}>
            Book all
          </ButtonLink>
        ) : (
          <ButtonLink
            ref={ref}
            to={listPath(mended)}
            replace
            preventScrollReset
            rel="nofollow"
            variant="quiet"
          >
            {mended.length > 0 ? 'Keep what’s in stock' : 'Remove all'}
          </ButtonLink>
        )}
      </div>
      <Tools lines={lines} sum={sum} name={name} />
    </>
  )
}

/** Says what was taken out of the basket, and brings it back. */
export function TakenOutNote({ lines }: { lines: BasketLine[] }) {
  const taken = useTakenOut()
  const listPath = useListPath()
  if (!taken) return null
  const parts = basketIn(taken.parts)
  return (
    <p role="status">
      {taken.name ? `Removed ${taken.name}.` : 'This replaced your basket.'}{' '}
      <ChangeLink
        to={listPath(taken.name ? [...lines, ...parts] : parts)}
        className="link inline-flex min-h-6 items-center"
      >
        Undo
      </ChangeLink>
    </p>
  )
}

/** Heads the printed list: prices are those of a day, and its address leads back to it. */
export function PrintHead() {
  const name = useShopName()
  if (!useHydrated()) return null
  const day = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  return (
    <div className="basket-print">
      <p className="font-semibold">
        {name}, {day}
      </p>
      <p className="wrap-anywhere text-sm">{location.href}</p>
    </div>
  )
}
