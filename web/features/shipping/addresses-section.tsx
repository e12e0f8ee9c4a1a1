import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { inOneLine } from '#contracts/address-lines.ts'
import type { KeptAddress } from '#contracts/addresses.ts'
import { maxAddresses } from '#contracts/stored-address.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { AddressLines } from './address-lines.tsx'
import { addressesQuery, useDeleteAddress, useSaveAddress } from './queries.ts'

// loaded when it opens, with the rules and the countries of addresses
const AddressDialog = lazy(withTimeout(() => import('./address-dialog.tsx')))

function AddressRow({ kept, onEdit }: { kept: KeptAddress; onEdit: () => void }) {
  const [save, remove] = [useSaveAddress(kept._id), useDeleteAddress()]
  const refuse = (error: Error) => void toast('error', error.message)
  const words = inOneLine(kept.address)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 py-5">
      <div className="grow basis-56">
        <AddressLines address={kept.address} />
        {kept.isDefault && <p className="text-dim text-sm">Used first</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {!kept.isDefault && (
          <RowButton
            busy={save.isPending}
            aria-label={`Use first: ${words}`}
            onClick={() =>
              save.mutate({ address: kept.address, isDefault: true }, { onError: refuse })
            }
          >
            Use first
          </RowButton>
        )}
        <RowButton aria-label={`Change ${words}`} onClick={onEdit}>
          Change
        </RowButton>
        <RowButton
          busy={remove.isPending}
          aria-label={`Delete ${words}`}
          onClick={() => remove.mutate(kept._id, { onError: refuse })}
        >
          Delete
        </RowButton>
      </div>
    </li>
  )
}

/** The addresses that the user keeps for orders. */
export default function AddressesSection() {
  const { data, error, refetch, isFetching } = useQuery(addressesQuery)
  const leaving = useSignedOutBy(error)
  const [edited, setEdited] = useState<KeptAddress | 'new' | null>(null)
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses" className="text-2xl font-bold tracking-tight">
        Your addresses
      </h2>
      <div className="card mt-4 px-6 py-2 sm:px-8">
        {!data && error && !leaving && (
          <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
        )}
        {!data && !error && <Skeleton className="my-4 h-24" />}
        {data && data.length > 0 && (
          <ul className="divide-y divide-line border-line border-b">
            {data.map((kept) => (
              <AddressRow key={kept._id} kept={kept} onEdit={() => setEdited(kept)} />
            ))}
          </ul>
        )}
        {data && (
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5">
            <p className="max-w-[52ch] grow basis-72 text-dim">
              {data.length === 0
                ? 'None yet. You can keep those that parcels go to.'
                : 'The first is suggested when you pay.'}
            </p>
            {data.length < maxAddresses && (
              <RowButton onClick={() => setEdited('new')}>Add an address</RowButton>
            )}
          </div>
        )}
      </div>
      {edited && (
        <Suspense fallback={null}>
          <AddressDialog
            kept={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
