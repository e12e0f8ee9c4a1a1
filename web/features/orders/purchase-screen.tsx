import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'
import { isBookable } from '#contracts/catalogue.ts'
import { messages } from '#contracts/messages.ts'
import { fewestUnits } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { type Booker, BookingForm } from './booking-form.tsx'
import { partQuery } from './queries.ts'
import { useWhyNone } from './use-why-none.ts'

/** The part being booked: picture, description and figures. */
function PartPanel({ part }: { part: Part }) {
  const money = useMoney()
  const heading = useRef<HTMLHeadingElement>(null)
  const arrived = useNavigationType() !== 'POP'

  // the heading was missing when the page opened: focus it now, unless another element has the
  // focus
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
      <div className="card thumb row-span-3">
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
        {money(part.price)}
      </p>
      <dl className="spec order-2 col-span-2 mt-4 lg:mt-5">
        <div>
          <dt>Minimum order quantity</dt>
          <dd>{fewestUnits(part, useCurrency())}</dd>
        </div>
        <div>
          <dt>Available quantity</dt>
          <dd className={isBookable(part) ? 'text-green' : 'text-dim'}>{part.availableQuantity}</dd>
        </div>
      </dl>
    </section>
  )
}

const twoColumns = 'grid items-start gap-6 lg:gap-10 lg:grid-cols-[1.1fr_1fr]'

function OutOfStock({ part, onRetry }: { part: Part; onRetry: () => void }) {
  const none = useWhyNone(part)
  return (
    <div className="mb-6 grid justify-items-start gap-4">
      <p className="font-semibold">Out of stock.</p>
      <p className="text-dim">{none?.why}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/#parts" variant="quiet" className={none?.isHeld ? 'order-1' : ''}>
          See other parts
        </ButtonLink>
        <Button variant="quiet" onClick={onRetry}>
          Look again
        </Button>
      </div>
    </div>
  )
}

function PurchaseSkeleton() {
  return (
    <div aria-busy="true" className={twoColumns}>
      <div>
        <Skeleton className="h-24 w-full rounded-card lg:aspect-4/3 lg:h-auto" />
        <Skeleton className="mt-6 hidden h-5 w-28 lg:block" />
        <Skeleton className="mt-3 hidden h-9 w-2/3 lg:block" />
        <Skeleton className="mt-4 h-12" />
        <Skeleton className="mt-5 h-24 lg:h-32" />
      </div>
      <Skeleton className="h-[36rem] w-full rounded-card" />
    </div>
  )
}

function NoSuchPart() {
  return (
    <EmptyState
      heading="h1"
      title={messages.notFound}
      action={<ButtonLink to="/#parts">See the parts</ButtonLink>}
    >
      There is no such part. It may have been taken off sale.
    </EmptyState>
  )
}

/**
 * The part and its booking form.
 * @param queue renders the queue panel; it hides the sold-out notice while the user has an offer
 */
export function PurchaseScreen({
  id,
  queue,
  ...booker
}: Booker & { id: string; queue: (part: Part, soldOut: ReactNode) => ReactNode }) {
  const { data: part, error, refetch } = useQuery(partQuery(id))
  usePageTitle(part && `Book ${part.name}`)
  const leaving = useSignedOutBy(error)
  const isOnSale = part !== undefined && isBookable(part)
  // keep the form and its typed text when others book the last units
  const [hasForm, setHasForm] = useState(isOnSale)
  if (isOnSale && !hasForm) setHasForm(true)
  if (isUnknown(error)) return <NoSuchPart />
  if (!part && error && !leaving) {
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  }
  if (!part) return <PurchaseSkeleton />
  return (
    <div className={twoColumns}>
      <PartPanel part={part} />
      <section aria-labelledby="booking" className="card p-6 sm:p-8">
        <h2 id="booking" className="mb-6 text-2xl font-semibold tracking-tight">
          Book this part
        </h2>
        {queue(part, !isOnSale && <OutOfStock part={part} onRetry={() => refetch()} />)}
        {hasForm && <BookingForm part={part} {...booker} />}
      </section>
    </div>
  )
}
