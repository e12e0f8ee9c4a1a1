import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { altOf, isBookable } from '#contracts/catalogue.ts'
import { fewestUnits, totalPriceOf } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import type { HomeParts } from '#contracts/part-lists.ts'
import type { Part } from '#contracts/parts.ts'
import { Picture } from '#web/components/picture.tsx'
import { BookingLink } from '#web/features/catalogue/part-card.tsx'
import { homePartsQuery } from '#web/features/catalogue/queries.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'

function Figures({ part }: { part: Part }) {
  const money = useMoney()
  const minimum = fewestUnits(part, useCurrency())
  const { availableQuantity, price } = part
  return (
    <dl className="spec mt-4 max-w-md">
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
          <dt>Minimum order</dt>
          <dd>
            {minimum} for {money(totalPriceOf(minimum, price))}
          </dd>
        </div>
      )}
    </dl>
  )
}

/**
 * The best-selling product, shown large and on a desk; a monitor where the shop sells monitors.
 * Missing only in an empty shop.
 */
export function BestSeller({ initial }: { initial?: HomeParts }) {
  const money = useMoney()
  const { data: homeParts } = useQuery({ ...homePartsQuery, initialData: initial })
  const part = homeParts?.bestSeller
  if (!part) return null
  return (
    <section id="best-seller" aria-labelledby="best-seller-title" className="column pt-12 md:pt-20">
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
            {homeParts?.hasSold ? 'Best-selling product' : 'Our pick'}
          </h2>
          <h3 className="mt-2 text-3xl font-bold tracking-tight break-words md:text-4xl">
            <Link to={partPath(part)} className="hover:text-copper">
              {part.name}
            </Link>
          </h3>
          <p className="mt-2 max-w-[44ch] text-dim">{part.description}</p>
          <Figures part={part} />
          <div className="mt-4 flex min-h-11 flex-wrap items-center gap-x-6 gap-y-3">
            <p className="font-display text-3xl font-bold tracking-tight tabular-nums">
              {money(part.price)}
            </p>
            <BookingLink part={part} />
          </div>
        </div>
      </div>
    </section>
  )
}
