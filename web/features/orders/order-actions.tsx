import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '#contracts/counted.ts'
import type { Order, Shipment } from '#contracts/orders.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCorrectShipment, useDeleteAdminOrder, useShipParcel } from './admin-queries.ts'
import { DeleteOrder, inShort } from './delete-order.tsx'
import { checkoutQuery } from './queries.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { ShipDialog } from './ship-many.tsx'

/** The action to confirm, and the order it applies to. */
export type Confirming = { action: 'delete' | 'ship' | 'correct' | 'refund'; order: Order }

type Props = {
  confirming: Confirming | null
  onClose: () => void
  /** Called after the order is deleted and the focused button with it. */
  onDeleted: () => void
}

/** What is in a parcel, and for whom. */
const inLine = (order: Order, others: Order[] = []) => {
  const parts = [order, ...others].map(({ quantity, product }) => `${quantity} × ${product}`)
  return `${parts.join(', ')} for ${order.customer}.`
}

/**
 * Ships an order and, unless the admin says otherwise, the rest of its checkout in the same parcel.
 */
function ShipOne({ order, onClose }: { order: Order; onClose: () => void }) {
  const ship = useShipParcel()
  const { data: checkout } = useQuery(checkoutQuery(order))
  const [isAlone, setAlone] = useState(false)
  const others =
    checkout?.orders.filter(({ _id, status }) => status === 'paid' && _id !== order._id) ?? []
  const parcel = isAlone ? [order] : [order, ...others]
  const send = (shipment: Shipment) =>
    ship.mutate(
      { parcel, shipment },
      {
        onSuccess: () => {
          const what = parcel.length > 1 ? `${parcel.length} orders` : order.product
          void toast('success', `Shipped: ${what} for ${order.email}`)
          onClose()
        },
      },
    )
  return (
    <ShipDialog
      about={`${inLine(order, isAlone ? [] : others)} The customer gets a mail.`}
      busy={ship.isPending}
      error={ship.error?.message}
      onShip={send}
      onCancel={onClose}
    >
      {others.length > 0 && (
        <label className="mb-3 flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            className="size-5 accent-copper"
            checked={!isAlone}
            onChange={() => setAlone(!isAlone)}
          />
          In one parcel with the other {others.length === 1 ? 'order' : `${others.length} orders`}{' '}
          of its checkout
        </label>
      )}
    </ShipDialog>
  )
}

/**
 * Corrects an order and all that was shipped with it: orders of a checkout with the same shipping
 * time are one parcel.
 */
function CorrectShipment({ order, onClose }: { order: Order; onClose: () => void }) {
  const correct = useCorrectShipment()
  const { data: checkout } = useQuery(checkoutQuery(order))
  const others =
    checkout?.orders.filter(
      ({ _id, shippedAt }) => shippedAt === order.shippedAt && _id !== order._id,
    ) ?? []
  const parcel = [order, ...others]
  const send = (shipment: Shipment) =>
    correct.mutate(
      { checkoutId: order.checkoutId, orderIds: parcel.map(({ _id }) => _id), shipment },
      {
        onSuccess: () => {
          void toast('success', `The tracking of order ${order.number} is corrected`)
          onClose()
        },
      },
    )
  return (
    <ShipDialog
      about={`In the parcel: ${inLine(order, others)} The customer gets a mail about a change.`}
      former={order}
      busy={correct.isPending}
      error={correct.error?.message}
      onShip={send}
      onCancel={onClose}
    />
  )
}

/** What deleting an order does, and that the customer gets a mail. */
function Deletion({ order }: { order: Order }) {
  return (
    <>
      {inShort(order)}, {order.email}.{' '}
      {order.holdExpiresAt &&
        `The ${counted(order.quantity, 'unit')} it holds can be booked again. `}
      The customer can no longer pay for it, and gets a mail.
    </>
  )
}

/** The dialogs for an admin to ship, refund or delete an order, or to correct its shipment. */
export function OrderActions({ confirming, onClose, onDeleted }: Props) {
  const remove = useDeleteAdminOrder()
  return (
    <>
      {confirming?.action === 'ship' && <ShipOne order={confirming.order} onClose={onClose} />}
      {confirming?.action === 'correct' && (
        <CorrectShipment order={confirming.order} onClose={onClose} />
      )}
      {confirming?.action === 'refund' && (
        <RefundDialog order={confirming.order} onClose={onClose} />
      )}
      <DeleteOrder
        order={confirming?.action === 'delete' ? confirming.order : null}
        title="Are you sure you want to delete this order?"
        describe={(order) => <Deletion order={order} />}
        remove={remove}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    </>
  )
}
