import { useQuery } from '@tanstack/react-query'
import { messages } from '#contracts/messages.ts'
import type { Part } from '#contracts/parts.ts'
import { isBookable } from '#contracts/stock.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { BookingForm } from './booking-form.tsx'
import { PartPanel } from './part-panel.tsx'
import { isUnknown, partQuery } from './queries.ts'
import type { Payer } from './use-booking-form.ts'

const twoColumns = 'grid items-start gap-10 lg:grid-cols-[1.1fr_1fr]'

function OutOfStock({ part }: { part: Part }) {
  const left = part.availableQuantity
  return (
    <div className="grid justify-items-start gap-4">
      <p className="font-semibold">Out of stock.</p>
      <p className="text-dim">
        {left > 0
          ? `Only ${left} left, and the smallest order is ${part.minimumOrderQuantity}. `
          : 'Every one is sold or held for somebody who is paying. '}
        Held ones come back when they are not paid in time: look again a little later.
      </p>
      <ButtonLink to="/#parts" variant="quiet">
        See other parts
      </ButtonLink>
    </div>
  )
}

function PurchaseSkeleton() {
  return (
    <div aria-busy="true" className={twoColumns}>
      <div>
        <Skeleton className="aspect-4/3 w-full rounded-card" />
        <Skeleton className="mt-6 h-5 w-28" />
        <Skeleton className="mt-3 h-9 w-2/3" />
        <Skeleton className="mt-4 h-12" />
        <Skeleton className="mt-5 h-32" />
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
export function PurchaseScreen({ id, user }: { id: string; user: Payer }) {
  const { data: part, error, refetch } = useQuery(partQuery(id))
  usePageTitle(part && `Book ${part.name}`)
  const leaving = useSignedOutBy(error)
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
        {isBookable(part) ? <BookingForm part={part} user={user} /> : <OutOfStock part={part} />}
      </section>
    </div>
  )
}
