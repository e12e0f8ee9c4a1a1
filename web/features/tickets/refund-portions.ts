import type { Checkout } from '#contracts/checkouts.ts'
import { cents, fromCents } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { leftToRefund } from '#contracts/refunds.ts'
import type { Ticket } from '#contracts/tickets.ts'

type Portion = { order: Order; amount: number; restock: number }

/**
 * What a refund of the ticket's lines gives back: the share of the units that came back, or of all
 * that are named while nothing did, which go back on the shelf if they were not shipped; and the delivery if the whole checkout goes back.
 */
export function portionsOf(
  ticket: Pick<Ticket, 'lines'>,
  checkout: Pick<Checkout, 'orders' | 'shipping'>,
): { lines: Portion[]; shipping: number } {
  const hasCome = ticket.lines.some(({ received }) => received > 0)
  const unitsOf = ({ received, quantity }: Ticket['lines'][number]) =>
    hasCome ? received : quantity
  const lines = ticket.lines.flatMap((line) => {
    const { orderId } = line
    const order = checkout.orders.find(({ _id }) => _id === orderId)
    if (!order) return []
    const paid = cents(order.totalPrice) + cents(order.taxTotal)
    const share = Math.round((paid * unitsOf(line)) / order.quantity)
    const amount = Math.min(share, cents(leftToRefund(order)))
    // what was never shipped is still in the shop
    const restock = order.shippedAt ? line.restock : unitsOf(line)
    return amount > 0 ? [{ order, amount: fromCents(amount), restock }] : []
  })
  const goesBack = ({ _id, quantity }: Order) =>
    ticket.lines.some((line) => line.orderId === _id && unitsOf(line) === quantity)
  const isAll = checkout.orders.every((order) => order.status === 'refunded' || goesBack(order))
  const { paid, refunded } = checkout.shipping
  return { lines, shipping: isAll ? fromCents(cents(paid) - cents(refunded)) : 0 }
}
