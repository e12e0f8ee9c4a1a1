import { useState } from 'react'
import type { Order } from '#contracts/orders.ts'

/** Only what is paid and not sent yet can be shipped. */
const isPending = (order: Order) => order.status === 'paid'

/** Which of the orders shown are chosen to be shipped together. What is no longer shown or pending is not among them. */
export function useSelection(orders: Order[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selectable = orders.filter(isPending)
  const selected = selectable.filter(({ _id }) => ids.has(_id))
  const isFull = selected.length === selectable.length
  const select = (chosen: Order[]) => setIds(new Set(chosen.map(({ _id }) => _id)))
  return {
    selected,
    selectable: selectable.length,
    isFull,
    canHave: isPending,
    has: (order: Order) => isPending(order) && ids.has(order._id),
    toggle: (order: Order) =>
      select(
        ids.has(order._id) ? selected.filter(({ _id }) => _id !== order._id) : [...selected, order],
      ),
    toggleAll: () => select(isFull ? [] : selectable),
    select,
  }
}

export type Selection = ReturnType<typeof useSelection>
