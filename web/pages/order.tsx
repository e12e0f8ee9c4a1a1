import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useParams } from 'react-router'
import type { AdminOrder, Order as OrderRecord } from '#contracts/orders.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import type { HistoryEvent } from '#web/features/audit/audit-log.tsx'
import { OrderScreen } from '#web/features/orders/order-screen.tsx'
import { roleQuery } from '#web/features/users/queries.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'

export const meta = titled('Order')

export const handle: PageHandle = { samePage: true }

// loaded for admins only
const History = lazy(withTimeout(() => import('#web/features/audit/audit-log.tsx')))

/** The events of an order caused by customer, card provider or time limits. */
function eventsOf(
  order: OrderRecord | AdminOrder,
  money: (amount: number) => string,
): HistoryEvent[] {
  const { email, createdAt, paidAt, holdEndedAt, holdReleased, totalPrice } = order
  // releases and other deletions are lines in the audit log
  const deletedAt = 'deletedBy' in order && order.deletedBy === 'customer' && order.deletedAt
  const heldAgainAt = 'heldAgainAt' in order && order.heldAgainAt
  return [
    { at: createdAt, action: 'booked', note: null, by: email },
    ...(holdEndedAt && !holdReleased
      ? [{ at: holdEndedAt, action: 'hold ended', note: null, by: 'the shop' }]
      : []),
    ...(heldAgainAt ? [{ at: heldAgainAt, action: 'held again', note: null, by: email }] : []),
    ...(paidAt ? [{ at: paidAt, action: 'paid', note: money(totalPrice), by: email }] : []),
    ...(deletedAt ? [{ at: deletedAt, action: 'order deleted', note: null, by: email }] : []),
  ]
}

/** One order: the same details for its customer and for admins, each with their own actions. */
export default function Order() {
  const { id = '' } = useParams()
  const { payments } = useShop()
  const money = useMoney()
  const { user } = useSession()
  const { data: role, isPending } = useQuery(roleQuery(user?.email ?? ''))
  return (
    <OrderScreen
      key={id}
      id={id}
      sandbox={payments.sandbox}
      role={isPending ? undefined : role === 'admin' ? 'admin' : 'customer'}
      history={(order) => <History about={`order:${id}`} events={eventsOf(order, money)} />}
    />
  )
}
