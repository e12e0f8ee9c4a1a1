import { useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'
import { isBookable } from '#contracts/catalogue.ts'
import { dollars } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
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
    <section
      aria-labelledby="part-name"
      className="grid grid-cols-[6.5rem_1fr] items-center gap-x-5 lg:block"
    >
      <div className="card row-span-3 overflow-hidden bg-linear-to-b from-plate to-card">
        <Picture
          src={part.image}
          facts={part.picture}
          alt={`${part.name}, ${part.kind}`}
          sizes="(min-width: 1024px) 640px, 104px"
          priority
        />
      </div>
      <p className="kind font-mono text-copper text-sm lg:mt-6">{part.kind}</p>
      <h1
        id="part-name"
        ref={heading}
        tabIndex={-1}
        className="font-bold text-2xl tracking-tight break-words lg:mt-2 lg:text-4xl"
      >
        {part.name}
      </h1>
      <p className="order-1 col-span-2 mt-3 max-w-[60ch] text-dim">{part.description}</p>
      <p className="font-bold font-display text-2xl tabular-nums tracking-tight lg:mt-5 lg:text-4xl">
        {dollars(part.price)}
      </p>
      <dl className="spec order-2 col-span-2 mt-4 lg:mt-5">
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
