import type { Order, Shipment } from '#contracts/orders.ts'
import { toast } from '#web/lib/toast.ts'
import { useDeleteAdminOrder, useShipOrder } from './admin-queries.ts'
import { DeleteOrder, inShort } from './delete-order.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { ShipDialog } from './ship-dialog.tsx'

/** The action to confirm, and its order. */
export type Asked = { action: 'delete' | 'ship' | 'refund'; order: Order }

type Props = {
  asked: Asked | null
  onClose: () => void
  /** The order is gone, and with it the button that had the focus. */
  onDeleted: () => void
}

function ShipOne({ order, onClose }: { order: Order; onClose: () => void }) {
  const ship = useShipOrder()
  const send = (shipment: Shipment) =>
    ship.mutate(
      { id: order._id, shipment },
      {
        onSuccess: () => {
          void toast('success', `${order.product} for ${order.email} is shipped`)
          onClose()
        },
      },
    )
  return (
    <ShipDialog
      about={`${order.quantity} × ${order.product} for ${order.customer}.`}
      busy={ship.isPending}
      error={ship.error?.message}
      onShip={send}
      onCancel={onClose}
    />
  )
}

/** The dialogs in which an admin ships, refunds or deletes an order. */
export function OrderActions({ asked, onClose, onDeleted }: Props) {
  const remove = useDeleteAdminOrder()
  return (
    <>
      {asked?.action === 'ship' && <ShipOne order={asked.order} onClose={onClose} />}
      {asked?.action === 'refund' && <RefundDialog order={asked.order} onClose={onClose} />}
      <DeleteOrder
        order={asked?.action === 'delete' ? asked.order : null}
        describe={(order) => `${inShort(order)}, ${order.email}`}
        remove={remove}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    </>
  )
}
