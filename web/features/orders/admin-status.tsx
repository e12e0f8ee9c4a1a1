import { shownStatus } from '#contracts/lists.ts'
import { dollars } from '#contracts/money.ts'
import type { AdminOrder, Order } from '#contracts/orders.ts'
import { shortMoment } from '#web/lib/moments.ts'

const toward = {
  unpaid: 'text-dim',
  paid: 'text-copper',
  shipped: 'text-green',
  refunded: 'text-dim',
  deleted: 'text-dim',
} as const satisfies Record<Order['status'], string>

function note(order: Order): string | null {
  if (order.refunded > 0) return `${dollars(order.refunded)} given back`
  if (order.status === 'unpaid') {
    return order.holdExpiresAt
      ? `held to ${shortMoment(order.holdExpiresAt).slice(-5)}`
      : 'hold expired'
  }
  return null
}

const disputes = { open: 'disputed', lost: 'dispute lost' } as const

/** An order's status in the admin's words, and below it its hold, refund or dispute. */
export function AdminStatus({ order }: { order: Order | AdminOrder }) {
  const more = note(order)
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
