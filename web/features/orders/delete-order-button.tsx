import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { Order } from '#contracts/orders.ts'

type Props = {
  order: Order
  /** With the word beside the icon, while the order can be deleted. */
  labelled?: boolean
  onAsk: (order: Order) => void
}

/** The delete icon; dimmed for paid orders, where it says why instead of deleting. */
export function DeleteOrderButton({ order, labelled = false, onAsk }: Props) {
  const reason = useId()
  return (
    <>
      <button
        type="button"
        aria-label={`Delete ${order.product}`}
        aria-disabled={order.paid}
        aria-describedby={order.paid ? reason : undefined}
        title={order.paid ? 'A paid order can not be deleted' : undefined}
        onClick={() => order.paid || onAsk(order)}
        className="inline-flex h-9 min-w-11 cursor-pointer items-center justify-center gap-1.5 rounded-full font-semibold text-sm text-danger transition-colors hover:bg-danger/10 aria-disabled:cursor-not-allowed aria-disabled:text-dim aria-disabled:opacity-50 aria-disabled:hover:bg-transparent"
      >
        <Trash2 aria-hidden="true" className="size-5 shrink-0" />
        {labelled && !order.paid && <span className="pe-2 widest:hidden">Delete</span>}
      </button>
      {order.paid && (
        <span id={reason} hidden>
          A paid order can not be deleted
        </span>
      )}
    </>
  )
}
