import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isBookable } from '#contracts/catalogue.ts'
import { messages } from '#contracts/messages.ts'
import type { Part } from '#contracts/parts.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { type Booker, BookingForm } from './booking-form.tsx'
import { PartPanel } from './part-panel.tsx'
import { isUnknown, partQuery } from './queries.ts'

const twoColumns = 'grid items-start gap-6 lg:gap-10 lg:grid-cols-[1.1fr_1fr]'

function OutOfStock({ part, onRetry }: { part: Part; onRetry: () => void }) {
  const left = part.availableQuantity
  return (
    <div className="mb-6 grid justify-items-start gap-4">
      <p className="font-semibold">Out of stock.</p>
      <p className="text-dim">
        {left > 0
          ? `Only ${left} left, and the smallest order is ${part.minimumOrderQuantity}. `
          : 'Every one is sold or held for somebody who is paying. '}
        Held ones come back when they are not paid in time: look again a little later.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" onClick={onRetry}>
          Look again
        </Button>
        <ButtonLink to="/#parts" variant="quiet">
          See other parts
        </ButtonLink>
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

/** The part and its booking form. */
export function PurchaseScreen({ id, ...booker }: Booker & { id: string }) {
  const { data: part, error, refetch } = useQuery(partQuery(id))
  usePageTitle(part && `Book ${part.name}`)
  const leaving = useSignedOutBy(error)
  const isOnSale = part !== undefined && isBookable(part)
  // what was typed stays when others take the last ones meanwhile
  const [hasForm, setHasForm] = useState(isOnSale)
  if (isOnSale && !hasForm) setHasForm(true)
  if (error && isUnknown(error)) return <NoSuchPart />
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
        {!isOnSale && <OutOfStock part={part} onRetry={() => refetch()} />}
        {hasForm && <BookingForm part={part} {...booker} />}
      </section>
    </div>
  )
}
