import type { UseMutationResult } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { messages } from '#contracts/messages.ts'
import type { Order } from '#contracts/orders.ts'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { toast } from '#web/lib/toasts/toast.ts'

type Props = {
  /** The order to confirm, or null while the dialog is closed. */
  order: Order | null
  title?: string
  /** Names the order in the dialog and explains what deleting it does. */
  describe: (order: Order) => ReactNode
  remove: UseMutationResult<void, Error, Order>
  onClose: () => void
  /** Called after the order is deleted and the focused button with it. */
  onDeleted: () => void
}

/** Asks for confirmation, then deletes an unpaid order. */
export function DeleteOrder({
  order,
  title = messages.confirmDelete,
  describe,
  remove,
  onClose,
  onDeleted,
}: Props) {
  const [shownOrder, setShownOrder] = useState(order)
  // a double click can arrive before the dialog shows that it is busy
  const deleting = useRef(false)
  const [deletions, setDeletions] = useState(0)
  const reportDeleted = useEffectEvent(onDeleted)
  // an effect here runs after the dialog has closed: an open dialog traps the focus
  useEffect(() => {
    if (deletions > 0) reportDeleted()
  }, [deletions])
  // keep the text while the dialog closes
  if (order && order !== shownOrder) setShownOrder(order)

  function confirm() {
    if (deleting.current || !order) return
    deleting.current = true
    remove.mutate(order, {
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
      title={title}
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={confirm}
    >
      {shownOrder && describe(shownOrder)}
    </ConfirmDialog>
  )
}

/** Formats an order as "F-1042: 2 × Cinder RX 7800 XT". */
export const inShort = ({ number, quantity, product }: Order) =>
  `${number}: ${quantity} × ${product}`

type DeleteOrderButtonProps = {
  order: Order
  /** Shows the word beside the icon while the order can be deleted. */
  labelled?: boolean
  onAsk: (order: Order) => void
}

/** The delete icon. It is dimmed for paid orders and explains why they cannot be deleted. */
export function DeleteOrderButton({ order, labelled = false, onAsk }: DeleteOrderButtonProps) {
  const reason = useId()
  return (
    <>
      <button
        type="button"
        aria-label={`Delete ${order.product}`}
        aria-disabled={order.paid}
        aria-describedby={order.paid ? reason : undefined}
        title={order.paid ? 'A paid order cannot be deleted' : undefined}
        onClick={() => order.paid || onAsk(order)}
        className="inline-flex h-9 min-w-11 cursor-pointer items-center justify-center gap-1.5 rounded-full font-semibold text-sm text-danger transition-colors hover:bg-danger/10 aria-disabled:cursor-not-allowed aria-disabled:text-dim aria-disabled:opacity-50 aria-disabled:hover:bg-transparent"
      >
        <Trash2 aria-hidden="true" className="size-5 shrink-0" />
        {labelled && !order.paid && <span className="pe-2 widest:hidden">Delete</span>}
      </button>
      {order.paid && (
        <span id={reason} hidden>
          A paid order cannot be deleted
        </span>
      )}
    </>
  )
}
