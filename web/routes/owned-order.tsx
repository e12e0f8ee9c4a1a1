import type { ReactNode } from 'react'
import type { Order } from '#contracts/orders.ts'
import { OwnedOrderPanel } from '#web/features/orders/owned-order-panel.tsx'
import { History } from '#web/features/record/history.tsx'
import '#web/styles/owner.css'

/** An order as its owner works on it: what can be done, the sheet, what was done. */
export default function OwnedOrder({ order, children }: { order: Order; children: ReactNode }) {
  return (
    <>
      <OwnedOrderPanel order={order} />
      {children}
      <History about={`order:${order._id}`} />
    </>
  )
}
