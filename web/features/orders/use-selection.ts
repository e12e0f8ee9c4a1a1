import { useState } from 'react'
import type { Order } from '#contracts/orders.ts'

/** Only what is paid and not sent yet can be shipped. */
const isPending = (order: Order) => order.status === 'paid'

/**
 * Which orders are chosen to be shipped together. They stay chosen while other pages and other filters are looked at;
 * one that is shown and no longer pending is not among them any more.
 */
export function useSelection(orders: Order[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Order>>(new Map())
  const shown = new Map(orders.map((order) => [order._id, order]))
  const selected = [...chosen.values()]
    .map((order) => shown.get(order._id) ?? order)
    .filter(isPending)
  const selectable = orders.filter(isPending)
  const isFull = selectable.every(({ _id }) => chosen.has(_id))
  const select = (some: Order[]) => setChosen(new Map(some.map((order) => [order._id, order])))
  const without = (some: Order[]) => selected.filter((order) => !some.some(sameAs(order)))
  const has = (order: Order) => isPending(order) && chosen.has(order._id)
  return {
    selected,
    selectable: selectable.length,
    selectedHere: selectable.filter(has).length,
    isFull,
    canHave: isPending,
    has,
    toggle: (order: Order) => select(has(order) ? without([order]) : [...selected, order]),
    toggleAll: () => select(isFull ? without(selectable) : [...selected, ...selectable]),
    select,
  }
}

const sameAs = (order: Order) => (other: Order) => other._id === order._id

export type Selection = ReturnType<typeof useSelection>
