import { Link } from 'react-router'
import type { Part } from '#contracts/parts.ts'
import { Says, Stage } from './slide-parts.tsx'

/** A ring core with one copper winding for each minute that a part is held, at most sixty. */
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

/** What happens between 'Book now' and a paid order. */
function HeldSlide({ part, holdMinutes }: { part?: Part; holdMinutes: number }) {
  return (
    <>
      <Says eyebrow={`${holdMinutes} minutes, yours alone`} title="Book, held, paid.">
        <ol className="slide-steps">
          <li>
            <strong>Book.</strong> Say how many. The total you see is all you pay.
          </li>
          <li>
            <strong>Held.</strong> For {holdMinutes} minutes nobody else can book your pieces.
          </li>
          <li>
            <strong>Paid.</strong> By card, and they are yours. Let the time pass, and you owe
            nothing.
          </li>
        </ol>
        <Link to="/how-booking-works" className="button hero-quiet mt-6">
          Every step in full
        </Link>
      </Says>
      {part && (
        <Stage part={part}>
          <Windings minutes={holdMinutes} />
        </Stage>
      )}
    </>
  )
}

/** How parts are described, with one to book. */
function DescribedSlide({ part }: { part?: Part }) {
  return (
    <>
      <Says eyebrow="Figures, not adjectives" title="Described down to the cable.">
        <p className="slide-text">
          A description says what you would want to know: inches, watts, keys, decibels, what is in
          the box and what is not.
        </p>
        <div className="mt-6">
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
      </Says>
      {part && <Stage part={part} />}
    </>
  )
}

type LaterProps = { which: 'held' | 'described'; part?: Part; holdMinutes: number }

/** The slides that are not seen at first. */
export default function LaterSlide({ which, part, holdMinutes }: LaterProps) {
  return which === 'held' ? (
    <HeldSlide part={part} holdMinutes={holdMinutes} />
  ) : (
    <DescribedSlide part={part} />
  )
}
