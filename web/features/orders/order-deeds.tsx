import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messages } from '#contracts/messages.ts'
import type { Order, Shipment } from '#contracts/orders.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { toast } from '#web/lib/toast.ts'
import { useDeleteOwnedOrder, useShipOrder } from './owned-queries.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { ShipDialog } from './ship-dialog.tsx'

/** What is being asked about which order. */
export type Asked = { deed: 'delete' | 'ship' | 'refund'; order: Order }

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

function DeleteOne({ asked, onClose, onDeleted }: Props) {
  const remove = useDeleteOwnedOrder()
  const [shown, setShown] = useState(asked?.order)
  // a double click comes before the dialog shows that it is busy
  const deleting = useRef(false)
  const [deletions, setDeletions] = useState(0)
  const tellDeleted = useEffectEvent(onDeleted)
  // an effect of here comes after the dialog has closed: an open one lets the focus go nowhere else
  useEffect(() => {
    if (deletions > 0) tellDeleted()
  }, [deletions])
  // the words stay while the dialog closes
  if (asked && asked.order !== shown) setShown(asked.order)
  function confirm() {
    if (deleting.current || !asked) return
    deleting.current = true
    remove.mutate(asked.order._id, {
      onSuccess: () => {
        void toast('success', messages.orderDeleted)
        setDeletions((count) => count + 1)
      },
      onError: (problem) => toast('error', problem.message),
      onSettled: () => {
        deleting.current = false
        onClose()
      },
    })
  }
  return (
    <ConfirmDialog
      open={asked !== null}
      title={messages.confirmDelete}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={confirm}
    >
      {shown && `${shown.quantity} × ${shown.product}, ${shown.email}`}
    </ConfirmDialog>
  )
}

/** The dialogs in which an owner ships, refunds or deletes an order. */
export function OrderDeeds({ asked, onClose, onDeleted }: Props) {
  return (
    <>
      {asked?.deed === 'ship' && <ShipOne order={asked.order} onClose={onClose} />}
      {asked?.deed === 'refund' && <RefundDialog order={asked.order} onClose={onClose} />}
      <DeleteOne
        asked={asked?.deed === 'delete' ? asked : null}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    </>
  )
}
