import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { altOf, isBookable } from '#contracts/catalogue.ts'
import { whole } from '#contracts/counted.ts'
import { fewestUnits, totalPriceOf } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import type { HomePart } from '#contracts/part-lists.ts'
import { Picture } from '#web/components/picture.tsx'
import { AddToBasket } from '#web/features/basket/add-to-basket.tsx'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { stockNotice } from './why-not-bookable.ts'

const sizes = '(width >= 64rem) 360px, (width >= 44rem) 44vw, 42vw'

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
  /** Above the picture. */
  top?: ReactNode
  /** Facts below the name. */
  children?: ReactNode
  /** Shows both figures of the stock, as the home page does; lists say what can be had. */
  hasFigures?: boolean
  /** In the place of 'Book now' and the basket. */
  button?: ReactNode
}

type StockProps = { part: HomePart; minimum: number }

/** The smallest order and what is there, in one line. */
function Figures({ part, minimum }: StockProps) {
  return (
    <dl className="part-stock part-figures">
      <div>
        <dt className="sr-only">Minimum order quantity</dt>
        <dd>{minimum}</dd>
      </div>
      <div>
        <dt className="sr-only">Available quantity</dt>
        <dd className={isBookable(part) ? 'text-green' : undefined}>{part.availableQuantity}</dd>
      </div>
    </dl>
  )
}

/** What can be had of a part. */
function Stock({ part }: Pick<StockProps, 'part'>) {
  return (
    isBookable(part) && (
      <p className="part-stock text-green">{`${whole(part.availableQuantity)} in stock`}</p>
    )
  )
}

/** One part in a grid. */
export function PartCard({
  part,
  priority,
  id,
  heading: Name = 'h3',
  top,
  children,
  hasFigures = false,
  button,
}: PartCardProps) {
  const money = useMoney()
  const minimum = fewestUnits(part, useCurrency())
  return (
    <li id={id} className="part-card">
      {top && <div className="part-top">{top}</div>}
      <Picture
        src={part.image}
        facts={part.picture}
        alt={altOf(part)}
        sizes={sizes}
        priority={priority}
        className={isBookable(part) ? '' : 'picture-gone'}
      />
      <Name className="part-name">
        <Link to={partPath(part)} className="hover:text-copper">
          {part.name}
        </Link>
      </Name>
      {children}
      <div className="part-foot">
        <div className="min-w-0">
          <p className="part-price">
            <strong>{money(part.price)}</strong>
            {minimum > 1 && ` each, ${minimum} for ${money(totalPriceOf(minimum, part.price))}`}
          </p>
          {hasFigures ? <Figures part={part} minimum={minimum} /> : <Stock part={part} />}
        </div>
        <div className="part-actions">
          {button ?? (
            <>
              <BookingLink part={part} className="button button-line" />
              <AddToBasket part={part} className="icon-button part-add" isIcon />
            </>
          )}
        </div>
      </div>
    </li>
  )
}
