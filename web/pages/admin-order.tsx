import type { ReactNode } from 'react'
import type { Order } from '#contracts/orders.ts'
import { History } from '#web/features/audit/history.tsx'
import { AdminOrderPanel } from '#web/features/orders/admin-order-panel.tsx'
import '#web/styles/admin.css'

/** An order as its owner works on it: what can be done, the sheet, what was done. */
export default function AdminOrder({ order, children }: { order: Order; children: ReactNode }) {
  return (
    <>
      <AdminOrderPanel order={order} />
      {children}
      <History about={`order:${order._id}`} />
    </>
  )
}
