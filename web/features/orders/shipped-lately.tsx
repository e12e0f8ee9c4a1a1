import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Shipment } from '#contracts/orders.ts'
import type { ShippedParcel } from '#contracts/to-ship.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCorrectShipment } from './admin-queries.ts'
import { ShipDialog } from './ship-many.tsx'

const shippedQuery = queryOptions({
  queryKey: ['shipped'],
  queryFn: async () => (await api.shipped.$get()).json(),
  staleTime: 0,
})

const contentOf = ({ lines }: ShippedParcel) => lines.map(({ product }) => product).join(', ')

function CorrectParcel({ parcel, onClose }: { parcel: ShippedParcel; onClose: () => void }) {
  const correct = useCorrectShipment()
  const { checkoutId, number, customer, lines } = parcel
  const orderIds = lines.map(({ orderId }) => orderId)
  const send = (shipment: Shipment) =>
    correct.mutate(
      { checkoutId, orderIds, shipment },
      {
        onSuccess: () => {
          void toast('success', `The tracking of order ${number} is corrected`)
          onClose()
        },
      },
    )
  return (
    <ShipDialog
      about={`In the parcel: ${contentOf(parcel)} for ${customer}. The customer gets a mail about a change.`}
      former={parcel}
      busy={correct.isPending}
      error={correct.error?.message}
      onShip={send}
      onCancel={onClose}
    />
  )
}

function Parcels({ parcels }: { parcels: ShippedParcel[] }) {
  const [corrected, setCorrected] = useState<ShippedParcel | null>(null)
  return (
    <>
      <ul>
        {parcels.map((parcel) => (
          <li
            key={`${parcel.checkoutId} ${parcel.shippedAt}`}
            className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-t py-4"
          >
            <p className="wrap-anywhere min-w-0 grow basis-60">
              <span className="font-semibold">{parcel.number}</span> {parcel.customer}
              <span className="block text-dim text-sm">
                {shortMoment(parcel.shippedAt)}: {contentOf(parcel)}
              </span>
            </p>
            <p className="wrap-anywhere min-w-0 grow basis-52 text-sm">
              {[parcel.carrier, parcel.trackingNumber].filter(Boolean).join(', ') || (
                <span className="text-dim">No tracking number</span>
              )}
            </p>
            <RowButton
              aria-label={`Correct the tracking of ${parcel.number}`}
              onClick={() => setCorrected(parcel)}
            >
              Correct
            </RowButton>
          </li>
        ))}
      </ul>
      {corrected && <CorrectParcel parcel={corrected} onClose={() => setCorrected(null)} />}
    </>
  )
}

/** The parcels that were shipped last, to correct their tracking. */
export function ShippedLately() {
  const { data, error, refetch, isFetching } = useQuery(shippedQuery)
  if (data?.length === 0) return null
  return (
    <section aria-labelledby="shipped-lately" className="mt-12 print:hidden">
      <h2 id="shipped-lately" className="mb-4 text-2xl font-bold tracking-tight">
        Shipped lately
      </h2>
      {!data && error && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-40" />}
      {data && <Parcels parcels={data} />}
    </section>
  )
}
