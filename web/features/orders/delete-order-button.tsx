import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { Order } from '#contracts/orders.ts'

type Props = { order: Order; onAsk: (order: Order) => void }

/** The delete icon; dimmed for paid orders, where it says why instead of deleting. */
export function DeleteOrderButton({ order, onAsk }: Props) {
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
        className="grid size-11 cursor-pointer place-items-center rounded-full text-danger transition-colors hover:bg-danger/10 aria-disabled:cursor-not-allowed aria-disabled:text-dim aria-disabled:opacity-50 aria-disabled:hover:bg-transparent"
      >
        <Trash2 aria-hidden="true" className="size-5" />
      </button>
      {order.paid && (
        <span id={reason} hidden>
          A paid order can not be deleted
        </span>
      )}
    </>
  )
}
