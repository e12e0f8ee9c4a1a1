import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messages } from '#contracts/messages.ts'
import type { Order } from '#contracts/orders.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { toast } from '#web/lib/toast.ts'

type Props = {
  /** The order that is asked about, or null while none is. */
  order: Order | null
  /** What names it in the question. */
  describe: (order: Order) => string
  remove: UseMutationResult<void, Error, string>
  onClose: () => void
  /** The order is gone, and with it the button that had the focus. */
  onDeleted: () => void
}

/** Asks before an unpaid order is deleted, and deletes it. */
export function DeleteOrder({ order, describe, remove, onClose, onDeleted }: Props) {
  const [shown, setShown] = useState(order)
  // a double click comes before the dialog shows that it is busy
  const deleting = useRef(false)
  const [deletions, setDeletions] = useState(0)
  const tellDeleted = useEffectEvent(onDeleted)
  // an effect of here comes after the dialog has closed: an open one lets the focus go nowhere else
  useEffect(() => {
    if (deletions > 0) tellDeleted()
  }, [deletions])
  // the words stay while the dialog closes
  if (order && order !== shown) setShown(order)

  function confirm() {
    if (deleting.current || !order) return
    deleting.current = true
    remove.mutate(order._id, {
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
      open={order !== null}
      title={messages.confirmDelete}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={confirm}
    >
      {shown && describe(shown)}
    </ConfirmDialog>
  )
}

/** "F-1042: 2 × Cinder RX 7800 XT" */
export const inShort = ({ number, quantity, product }: Order) =>
  `${number}: ${quantity} × ${product}`
