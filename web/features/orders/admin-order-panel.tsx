import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order } from '#contracts/orders.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { AdminStatus, ChangeStatus } from './admin-status.tsx'
import { type Confirming, OrderActions } from './order-actions.tsx'
import { checkoutQuery } from './queries.ts'
import { refundableOf } from './refund-dialog.tsx'

/** The actions of an admin on the order of this page. */
export default function AdminOrderPanel({ order }: { order: Order }) {
  const [confirming, setConfirming] = useState<Confirming | null>(null)
  const { data: checkout } = useQuery(checkoutQuery(order))
  const left = checkout && refundableOf(checkout)
  return (
    <div className="mb-4 flex min-h-15 flex-wrap items-center gap-3 print:hidden">
      <div className="me-auto">
        <AdminStatus order={order} />
      </div>
      {/* a shipped order's status is already shown on the left */}
      {order.status !== 'deleted' && !order.shippedAt && (
        <div>
          <ChangeStatus order={order} onShip={() => setConfirming({ action: 'ship', order })} />
        </div>
      )}
      {order.shippedAt && (
        <RowButton onClick={() => setConfirming({ action: 'correct', order })}>
          Correct the tracking
        </RowButton>
      )}
      {left && (left.orders.length > 0 || left.shipping > 0) && (
        <RowButton onClick={() => setConfirming({ action: 'refund', order })}>Refund</RowButton>
      )}
      {order.status === 'unpaid' && (
        <RowButton onClick={() => setConfirming({ action: 'delete', order })}>Delete</RowButton>
      )}
      <RowButton onClick={() => print()}>Print</RowButton>
      <ButtonLink
        to={`/dashboard/users?q=${encodeURIComponent(order.email)}`}
        variant="quiet"
        className="button-small"
      >
        Customer
      </ButtonLink>
      <ButtonLink to="/dashboard/manageOrders" variant="quiet" className="button-small">
        Manage all orders
      </ButtonLink>
      <OrderActions
        confirming={confirming}
        onClose={() => setConfirming(null)}
        onDeleted={() => document.querySelector<HTMLElement>('main h1')?.focus()}
      />
    </div>
  )
}
