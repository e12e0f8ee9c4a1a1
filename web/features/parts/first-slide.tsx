import { Link } from 'react-router'
import type { Part } from '#contracts/parts.ts'
import { Says, Stage } from './slide-parts.tsx'

/** The shop's promise. */
export function PromiseSlide({ part, holdMinutes }: { part?: Part; holdMinutes: number }) {
  return (
    <>
      <Says
        first
        eyebrow="Held while you pay"
        title={
          <>
            Parts that <br />
            stay honest.
          </>
        }
      >
        <p className="slide-text">
          What we say is in stock is in stock. Book it, and it is yours for {holdMinutes} minutes
          while you pay.
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <Link to="#parts" className="button hero-primary">
            See the parts
          </Link>
          <Link to="/how-booking-works" className="button hero-quiet">
            How booking works
          </Link>
        </div>
      </Says>
      {part && <Stage part={part} priority />}
    </>
  )
}
