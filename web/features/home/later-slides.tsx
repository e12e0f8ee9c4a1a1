import { Link } from 'react-router'
import type { HomePart } from '#contracts/part-lists.ts'
import { holdText } from '#contracts/shop.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { SlideImage, SlideText } from './slide-part.tsx'

/** A ring core with one copper winding per minute of hold time, at most sixty. */
function Windings({ minutes }: { minutes: number }) {
  const count = Math.min(60, Math.max(1, Math.round(minutes)))
  return (
    <svg viewBox="0 0 400 400" className="windings" fill="none" aria-hidden="true">
      <circle cx="200" cy="200" r="176" stroke="#2b3034" strokeWidth="34" />
      <circle
        cx="200"
        cy="200"
        r="176"
        stroke="#d9773b"
        strokeWidth="42"
        pathLength={count}
        strokeDasharray="0.16 0.84"
        strokeDashoffset="-0.42"
        transform="rotate(-90 200 200)"
      />
    </svg>
  )
}

/** Whether a price is all that a customer pays: no delivery and no tax on top. */
function useIsAll(): boolean {
  const { sale } = useShop()
  return !sale?.delivers && !sale?.taxNote.startsWith('plus')
}

/** Explains the steps from 'Book now' to a paid order. */
function HeldSlide({ part, holdMinutes }: { part?: HomePart; holdMinutes: number }) {
  const isAll = useIsAll()
  return (
    <>
      <SlideText eyebrow={`${holdText(holdMinutes)}, yours alone`} title="Book, held, paid.">
        <ol className="slide-steps">
          <li>
            <strong>Book.</strong> Say how many.{isAll && ' The total you see is all you pay.'}
          </li>
          <li>
            <strong>Held.</strong> For at least {holdText(holdMinutes)} no one else can book your
            parts.
          </li>
          <li>
            <strong>Paid.</strong> By card, and they are yours. Let the time pass, and you owe
            nothing.
          </li>
        </ol>
        <Link to="/how-booking-works" className="button hero-quiet mt-6">
          Every step in full
        </Link>
      </SlideText>
      {part && (
        <SlideImage part={part}>
          <Windings minutes={holdMinutes} />
        </SlideImage>
      )}
    </>
  )
}

/**
 * Explains the figures on every card. It fits whatever the shop sells, because it describes no
 * single product.
 */
function FiguresSlide({ part }: { part?: HomePart }) {
  const isAll = useIsAll()
  return (
    <>
      <SlideText eyebrow="Figures, not adjectives" title="All of it on the card.">
        <p className="slide-text">
          The price, the minimum order and how many are in stock, as they are right now.
          {isAll && ' Nothing is added at the end.'}
        </p>
        <div className="hero-links">
          {part ? (
            <Link to={`/purchase/${part._id}`} className="button hero-primary">
              Book the {part.name}
            </Link>
          ) : (
            <Link to="#parts" className="button hero-primary">
              See the parts
            </Link>
          )}
        </div>
      </SlideText>
      {part && <SlideImage part={part} />}
    </>
  )
}

type LaterProps = { which: 'held' | 'figures'; part?: HomePart; holdMinutes: number }

/** The slides that are not visible at first. */
export default function LaterSlide({ which, part, holdMinutes }: LaterProps) {
  return which === 'held' ? (
    <HeldSlide part={part} holdMinutes={holdMinutes} />
  ) : (
    <FiguresSlide part={part} />
  )
}
