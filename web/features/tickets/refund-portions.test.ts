import { describe, expect, test } from 'vitest'
import type { Checkout } from '#contracts/checkouts.ts'
import type { Order } from '#contracts/orders.ts'
import type { Ticket } from '#contracts/tickets.ts'
import { portionsOf } from './refund-portions.ts'

/** A paid checkout of two fans at $30 each, with $4 tax, and one pump at $50; delivery cost $10. */
const orders = [
  { _id: 'fans', quantity: 2, totalPrice: 60, taxTotal: 4 },
  { _id: 'pump', quantity: 1, totalPrice: 50, taxTotal: 0 },
].map(
  (order) =>
    ({
      ...order,
      paid: true,
      refunded: 0,
      status: 'shipped',
      shippedAt: '2026-01-05T09:00:00Z',
    }) as Order,
)
const checkout = { orders, shipping: { paid: 10, refunded: 0 } } as Checkout

type Line = { orderId: string; quantity: number; received?: number; restock?: number }

/** What a ticket about these lines gives back: an amount and units for each order, the delivery. */
function given(lines: Line[], of = checkout) {
  const ticket = {
    lines: lines.map((line) => ({ received: 0, restock: 0, ...line })) as Ticket['lines'],
  }
  const { lines: portions, shipping } = portionsOf(ticket, of)
  return [...portions.map(({ order, amount, restock }) => [order._id, amount, restock]), shipping]
}

describe('what a refund of a ticket gives back', () => {
  test('before anything came back: the share of the units that are named', () => {
    expect(given([{ orderId: 'fans', quantity: 1 }])).toEqual([['fans', 32, 0], 0])
  })

  test('what was not shipped goes back on the shelf', () => {
    const unshipped = orders.map((order) => ({ ...order, status: 'paid', shippedAt: null }))
    const here = { ...checkout, orders: unshipped } as Checkout
    expect(given([{ orderId: 'fans', quantity: 2 }], here)).toEqual([['fans', 64, 2], 0])
  })

  test('of two units one came back: that one', () => {
    const one = { orderId: 'fans', quantity: 2, received: 1, restock: 1 }
    expect(given([one])).toEqual([['fans', 32, 1], 0])
  })

  test('of two lines one came back: that line', () => {
    const fans = { orderId: 'fans', quantity: 2, received: 2, restock: 1 }
    expect(given([fans, { orderId: 'pump', quantity: 1 }])).toEqual([['fans', 64, 1], 0])
  })

  test('all of the checkout: with the delivery', () => {
    const fans = { orderId: 'fans', quantity: 2 }
    const all = [fans, { orderId: 'pump', quantity: 1 }]
    expect(given(all)).toEqual([['fans', 64, 0], ['pump', 50, 0], 10])
    const back = all.map((line) => ({ ...line, received: line.quantity }))
    expect(given(back)).toEqual([['fans', 64, 0], ['pump', 50, 0], 10])
  })

  test('all is named, one unit did not come back: without the delivery', () => {
    const lines = [
      { orderId: 'fans', quantity: 2, received: 1 },
      { orderId: 'pump', quantity: 1, received: 1 },
    ]
    expect(given(lines)).toEqual([['fans', 32, 0], ['pump', 50, 0], 0])
  })

  test('no more than what is left of an order', () => {
    const rest = orders.map((order) => ({ ...order, refunded: order._id === 'fans' ? 50 : 0 }))
    const left = { ...checkout, orders: rest } as Checkout
    expect(given([{ orderId: 'fans', quantity: 1 }], left)).toEqual([['fans', 14, 0], 0])
  })
})
