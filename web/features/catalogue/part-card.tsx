import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { altOf, isBookable } from '#contracts/catalogue.ts'
import { fewestUnits, totalPriceOf } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import type { HomePart } from '#contracts/part-lists.ts'
import { Picture } from '#web/components/picture.tsx'
import { AddToBasket } from '#web/features/basket/add-to-basket.tsx'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { stockNotice } from './why-not-bookable.ts'

const sizes = '(width >= 72rem) 380px, (width >= 44rem) 46vw, 92vw'

/** How a card's second action looks. */
export const secondLook = 'link inline-flex min-h-11 items-center self-start text-sm'

type BookingProps = { part: HomePart; className?: string }

/** The Book button, or for a part that cannot be booked now the link to its queue. */
export function BookingLink({ part, className = 'button button-primary' }: BookingProps) {
  const to = `/purchase/${part._id}`
  if (isBookable(part)) {
    return (
      <Link to={to} aria-label={`Book now: ${part.name}`} className={className}>
        Book now
      </Link>
    )
  }
  const notice = stockNotice(part)
  return (
    <Link
      to={to}
      aria-label={`${notice}: ${part.name}`}
      className="link inline-flex min-h-11 items-center font-mono text-sm"
    >
      {notice}
    </Link>
  )
}

type PartCardProps = {
  part: HomePart
  /** For the picture visible first: the browser loads it before others. */
  priority?: boolean
  id?: string
  heading?: 'h2' | 'h3'
  /** Facts below the name. */
  children?: ReactNode
  /** The button, and the quiet action below it: 'Book now' and 'Add to basket' without them. */
  first?: ReactNode
  second?: ReactNode
}

/** One part in a grid. */
export function PartCard({
  part,
  priority,
  id,
  heading: Name = 'h3',
  children,
  first,
  second,
}: PartCardProps) {
  const money = useMoney()
  const bookable = isBookable(part)
  const minimum = fewestUnits(part, useCurrency())
  return (
    <li id={id} className="card part-card">
      <div className="plate">
        <Picture
          src={part.image}
          facts={part.picture}
          alt={altOf(part)}
          sizes={sizes}
          priority={priority}
          className={bookable ? '' : 'opacity-60 grayscale-50'}
        />
      </div>
      <div className="flex flex-1 flex-col px-6 pb-6">
        <p className="label kind">{part.kind}</p>
        <Name className="mt-1 text-2xl font-semibold tracking-tight">
          <Link to={partPath(part)} className="hover:text-copper">
            {part.name}
          </Link>
        </Name>
        {children}
        <p className="mt-2 mb-5 line-clamp-3 min-h-[3em] text-dim">{part.description}</p>
        <dl className="spec mt-auto">
          <div>
            <dt>Minimum order quantity</dt>
            <dd>{minimum}</dd>
          </div>
          <div>
            <dt>Available quantity</dt>
            <dd className={bookable ? 'text-green' : 'text-dim'}>{part.availableQuantity}</dd>
          </div>
        </dl>
        <div className="mt-4 flex min-h-15 items-center justify-between gap-4">
          <div>
            <p className="font-display text-3xl font-bold tracking-tight tabular-nums">
              {money(part.price)}
            </p>
            {minimum > 1 && (
              <p className="label">
                {minimum} for {money(totalPriceOf(minimum, part.price))}
              </p>
            )}
          </div>
          {first ?? <BookingLink part={part} />}
        </div>
        {second ?? <AddToBasket part={part} className={secondLook} />}
      </div>
    </li>
  )
}
