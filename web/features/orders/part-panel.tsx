import { useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'
import { dollars } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { isBookable } from '#contracts/stock.ts'
import { Picture } from '#web/components/picture.tsx'

/** The part being booked: picture, description and its figures. */
export function PartPanel({ part }: { part: Part }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const arrived = useNavigationType() !== 'POP'

  // the page opened before its heading was known: the focus follows now, unless it is in use already
  useEffect(() => {
    if (arrived && document.activeElement === document.body) {
      heading.current?.focus({ preventScroll: true })
    }
  }, [arrived])

  return (
    <section aria-labelledby="part-name">
      <div className="card overflow-hidden bg-linear-to-b from-plate to-card">
        <Picture
          src={part.image}
          facts={part.picture}
          alt={`${part.name}, ${part.kind}`}
          sizes="(min-width: 1024px) 640px, 100vw"
          priority
        />
      </div>
      <p className="mt-6 font-mono text-sm text-copper kind">{part.kind}</p>
      <h1
        id="part-name"
        ref={heading}
        tabIndex={-1}
        className="mt-2 text-4xl font-bold tracking-tight break-words"
      >
        {part.name}
      </h1>
      <p className="mt-3 max-w-[60ch] text-dim">{part.description}</p>
      <p className="mt-5 font-bold font-display text-4xl tabular-nums tracking-tight">
        {dollars(part.price)}
      </p>
      <dl className="spec mt-5">
        <div>
          <dt>Minimum order quantity</dt>
          <dd>{part.minimumOrderQuantity}</dd>
        </div>
        <div>
          <dt>Available quantity</dt>
          <dd className={isBookable(part) ? 'text-green' : 'text-dim'}>{part.availableQuantity}</dd>
        </div>
      </dl>
    </section>
  )
}
