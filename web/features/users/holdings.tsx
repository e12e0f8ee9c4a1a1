import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import type { Holding, Released } from '#contracts/queue.ts'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { ListTable } from '#web/components/list-frame.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { type HoldingsOf, holdingsQuery, useReleaseAccount } from './holdings-queries.ts'

/** Describes what ended. */
function releasedText({ holds, offers, places, paying }: Released): string {
  const ended = [counted(holds, 'hold'), counted(offers, 'offer'), counted(places, 'place')]
  const text = `Released: ${ended.join(', ')}.`
  if (paying === 0) return text
  return `${text} ${counted(paying, 'order')} being paid ${paying === 1 ? 'keeps its hold' : 'keep their holds'}.`
}

/**
 * Asks for confirmation, then ends all holds, offers and places of an account.
 * @param account null while the dialog is closed
 */
export function ReleaseDialog({
  account,
  onClose,
}: {
  account: { id: string; email: string } | null
  onClose: () => void
}) {
  const release = useReleaseAccount((released) => void toast('success', releasedText(released)))
  return (
    <ConfirmDialog
      open={account !== null}
      title="Release everything this account holds?"
      confirmText="Release"
      busy={release.isPending}
      onCancel={onClose}
      onConfirm={() =>
        account &&
        release.mutate(account.id, {
          onError: (problem) => toast('error', problem.message),
          onSettled: onClose,
        })
      }
    >
      All holds and offers for {account?.email} end, and the account leaves every queue. The units
      go to the next in line or back on sale. Its orders stay unpaid, and can still be paid while
      enough stock is left for others. We email the customer.
    </ConfirmDialog>
  )
}

function What({ holding: { type, _id, number, position } }: { holding: Holding }) {
  if (type === 'order') {
    return (
      <>
        holds by{' '}
        <Link to={`/dashboard/order/${_id}`} className="link">
          {number}
        </Link>
      </>
    )
  }
  return type === 'offer' ? 'has an offer' : `waiting, number ${position} in line`
}

type RowProps = {
  holding: Holding
  of: HoldingsOf
  onRelease: (account: { id: string; email: string }) => void
}

function HoldingRow({ holding, of, onRelease }: RowProps) {
  const { email, userId, customer, hasPaid, partId, product, quantity, until } = holding
  return (
    <tr className="grid-cols-[1fr_auto] [grid-template-areas:'who_who'_'what_units'_'until_more']">
      <td className="[grid-area:who]">
        {'part' in of ? (
          <>
            <Link to={`/dashboard/users?account=${userId}`} className="row-link">
              <EmailText email={email} />
            </Link>
            <p className="text-dim text-sm">
              {customer} {!hasPaid && <span className="tag">never paid</span>}
            </p>
          </>
        ) : (
          <Link to={`/dashboard/products/${partId}`} className="row-link">
            {product}
          </Link>
        )}
      </td>
      <td className="[grid-area:what]">
        <What holding={holding} />
      </td>
      <td className="figure [grid-area:units]">
        {whole(quantity)}
        <span className="wide:hidden"> {quantity === 1 ? 'unit' : 'units'}</span>
      </td>
      <td className="figure text-[0.8125rem] text-dim [grid-area:until]">
        {until && (
          <>
            <span className="wide:hidden">until </span>
            <time dateTime={until}>{shortMoment(until)}</time>
          </>
        )}
      </td>
      {'part' in of && (
        <td className="justify-self-end [grid-area:more] wide:w-28 wide:text-end">
          <RowButton
            aria-label={`Release everything ${email} holds`}
            onClick={() => onRelease({ id: userId, email })}
          >
            Release
          </RowButton>
        </td>
      )}
    </tr>
  )
}

/**
 * The table of holds, offers and places.
 * @param empty shown when there are none
 */
export function Holdings({ of, empty }: { of: HoldingsOf; empty: ReactNode }) {
  const { data, error, refetch } = useQuery(holdingsQuery(of))
  const [releasing, setReleasing] = useState<{ id: string; email: string } | null>(null)
  const isOfPart = 'part' in of
  if (!data) {
    return error ? (
      <ErrorState message={error.message} onRetry={() => refetch()} />
    ) : (
      <Skeleton className="h-24" />
    )
  }
  return (
    <div className="@container/list">
      {data.length === 0 && <p className="text-dim">{empty}</p>}
      {data.length > 0 && (
        <ListTable
          caption="Holds, offers and places in the queue"
          head={
            <>
              <th scope="col">{isOfPart ? 'Customer' : 'Product'}</th>
              <th scope="col">What</th>
              <th scope="col" className="figure">
                Units
              </th>
              <th scope="col" className="figure">
                Until
              </th>
              {isOfPart && (
                <th scope="col">
                  <span className="sr-only">Release</span>
                </th>
              )}
            </>
          }
        >
          {data.map((holding) => (
            <HoldingRow key={holding._id} holding={holding} of={of} onRelease={setReleasing} />
          ))}
        </ListTable>
      )}
      <ReleaseDialog account={releasing} onClose={() => setReleasing(null)} />
    </div>
  )
}

/** The customers with holds, offers or places for a part, below its stock. */
export default function Holders({ partId }: { partId: string }) {
  return (
    <section aria-labelledby="holders" className="mt-10">
      <h2 id="holders" className="mb-4 font-semibold text-2xl tracking-tight">
        Who’s holding this
      </h2>
      <Holdings of={{ part: partId }} empty="No one is holding or waiting for this product." />
    </section>
  )
}
