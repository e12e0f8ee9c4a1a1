import { useId } from 'react'
import { shownStatus } from '#contracts/lists.ts'
import type { AdminOrder, Order } from '#contracts/orders.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useReleaseHold, useRemind } from './admin-queries.ts'

const toward = {
  unpaid: 'text-dim',
  paid: 'text-copper',
  shipped: 'text-green',
  refunded: 'text-dim',
  deleted: 'text-dim',
} as const satisfies Record<Order['status'], string>

function note(order: Order, money: (amount: number) => string): string | null {
  if (order.refunded > 0) return `${money(order.refunded)} refunded`
  if (order.status === 'unpaid') {
    if (order.holdExpiresAt) return `held to ${shortMoment(order.holdExpiresAt).slice(-5)}`
    return order.holdReleased ? 'hold released' : 'hold expired'
  }
  return null
}

const disputes = { open: 'disputed', lost: 'dispute lost' } as const

/** The order's status as admins see it, and below it the hold, refund or dispute. */
export function AdminStatus({ order }: { order: Order | AdminOrder }) {
  const more = note(order, useMoney())
  return (
    <>
      <span className={`whitespace-nowrap font-semibold ${toward[order.status]}`}>
        {shownStatus(order.status)}
      </span>
      {'dispute' in order && order.dispute && (
        <p className="whitespace-nowrap font-semibold text-danger text-xs">
          {disputes[order.dispute]}
        </p>
      )}
      {more && <p className="whitespace-nowrap text-dim text-xs">{more}</p>}
    </>
  )
}

/** Releases the hold of an unpaid order: its units can be booked again. */
function ReleaseHold({ order }: { order: Order }) {
  const release = useReleaseHold()
  const units = `${order.quantity} × ${order.product}`
  return (
    <RowButton
      busy={release.isPending}
      aria-label={`release: ${units}, held for ${order.email}`}
      onClick={() =>
        release.mutate(order._id, {
          onSuccess: () => toast('success', `${units} can be booked again`),
          onError: (problem) => toast('error', problem.message),
        })
      }
    >
      release
    </RowButton>
  )
}

/**
 * Mails the customer a payment reminder. Shows when the last one was sent: at most one goes out a
 * day.
 */
function MessageUser({ order }: { order: Order | AdminOrder }) {
  const remind = useRemind()
  const reminded = useId()
  const sentAt = 'remindedAt' in order ? order.remindedAt : null
  function send() {
    remind.mutate(order._id, {
      onSuccess: (refusal) =>
        refusal ? toast('warning', refusal) : toast('success', `Reminder sent to ${order.email}`),
      onError: (problem) => toast('error', problem.message),
    })
  }
  return (
    <>
      <RowButton
        off={remind.isSuccess}
        busy={remind.isPending}
        aria-label={`message user: ${order.email}`}
        aria-describedby={sentAt ? reminded : undefined}
        onClick={send}
      >
        message user
      </RowButton>
      {sentAt && (
        <p id={reminded} className="mt-0.5 text-dim text-xs">
          reminded <time dateTime={sentAt}>{shortMoment(sentAt)}</time>
        </p>
      )}
    </>
  )
}

type Props = { order: Order | AdminOrder; onShip: (order: Order) => void }

/** The next step of an order. The button texts come from the specification. */
export function ChangeStatus({ order, onShip }: Props) {
  if (order.status === 'unpaid') {
    return (
      <div className="flex flex-wrap gap-2">
        <MessageUser order={order} />
        {order.holdExpiresAt && <ReleaseHold order={order} />}
      </div>
    )
  }
  const isShipped = order.shippedAt !== null
  // deleted, or refunded before it was shipped: there is no next step
  if (order.status === 'deleted' || (order.status === 'refunded' && !isShipped))
    return <span className="text-dim">–</span>
  return (
    <RowButton
      off={isShipped}
      aria-label={isShipped ? undefined : `make shipped: ${order.product} for ${order.email}`}
      onClick={() => onShip(order)}
    >
      {isShipped ? 'Already shipped' : 'make shipped'}
    </RowButton>
  )
}
