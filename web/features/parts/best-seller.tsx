import { useQuery } from '@tanstack/react-query'
import { altOf, isBookable } from '#contracts/catalogue.ts'
import { dollars, totalPriceOf } from '#contracts/money.ts'
import type { Shelf } from '#contracts/part-lists.ts'
import type { Part } from '#contracts/parts.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { shelfQuery } from './queries.ts'
import { stockNotice } from './stock.ts'

function Figures({ part }: { part: Part }) {
  const { minimumOrderQuantity: minimum, availableQuantity, price } = part
  return (
    <dl className="spec mt-8 max-w-md">
      <div>
        <dt>Minimum order quantity</dt>
        <dd>{minimum}</dd>
      </div>
      <div>
        <dt>Available quantity</dt>
        <dd className={isBookable(part) ? 'text-green' : 'text-dim'}>{availableQuantity}</dd>
      </div>
      {minimum > 1 && (
        <div>
          <dt>Smallest order</dt>
          <dd>
            {minimum} for {dollars(totalPriceOf(minimum, price))}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The best-selling product, a monitor where monitors sell, large and on a desk. Only an empty shop has no such section. */
export function BestSeller({ initial }: { initial?: Shelf }) {
  const part = useQuery({ ...shelfQuery, initialData: initial }).data?.bestSeller
  if (!part) return null
  return (
    <section id="best-seller" aria-labelledby="best-seller-title" className="column pt-20 md:pt-28">
      <div className="best-seller">
        <div className="best-seller-desk">
          <Picture
            src={part.image}
            facts={part.picture}
            alt={altOf(part)}
            sizes="(width >= 64rem) 700px, 92vw"
          />
        </div>
        <div className="best-seller-words">
          <h2 id="best-seller-title" className="font-mono text-sm text-copper">
            Best-selling product
          </h2>
          <h3 className="mt-3 text-4xl font-bold tracking-tight break-words md:text-5xl">
            {part.name}
          </h3>
          <p className="mt-4 max-w-[40ch] text-lg text-dim">{part.description}</p>
          <Figures part={part} />
          <div className="mt-8 flex min-h-11 flex-wrap items-center gap-x-6 gap-y-3">
            <p className="font-display text-4xl font-bold tracking-tight tabular-nums">
              {dollars(part.price)}
            </p>
            {isBookable(part) ? (
              <ButtonLink to={`/purchase/${part._id}`} aria-label={`Book now: ${part.name}`}>
                Book now
              </ButtonLink>
            ) : (
              <p className="font-mono text-sm text-dim">{stockNotice(part)}</p>
            )}
          </div>
        </div>
      </div>
    </section>
  )
}
