/** Load on a shop that may die at any moment: the users' actions, and the shop's responses. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Pool } from 'pg'
import type { Part } from '#contracts/parts.ts'
import { type Answer, call, confirmCard, type Person } from '#tests/support/people.ts'
import { upload } from '#tests/support/pictures.ts'

/** One part, or several that are paid together. */
type Booking = { by: Person; partIds: string[]; quantity: number; key: string }

/** What the shop acknowledged; it must stay true whatever happens afterwards. */
type Acknowledged = {
  booked: Map<string, Booking>
  /** Sent without a response: the client will send it again, with the same key. */
  unanswered: Booking[]
  /** Payments that the card provider took: intent and order. */
  charged: Map<string, string>
  deleted: Set<string>
  shipped: Set<string>
  refunded: Set<string>
  pictures: Set<string>
  parts: Map<string, string>
  resets: Map<string, number>
  /** Responses that no client should get: faults, and 503 while nothing was wrong. */
  faults: string[]
}

export const nothingAcknowledged = (): Acknowledged => ({
  booked: new Map(),
  unanswered: [],
  charged: new Map(),
  deleted: new Set(),
  shipped: new Set(),
  refunded: new Set(),
  pictures: new Set(),
  parts: new Map(),
  resets: new Map(),
  faults: [],
})

/** The settings of a shop in which few customers act as many. */
export const manyHolds = { OPEN_HOLDS: '10000', OPEN_HOLDS_UNCONFIRMED: '10000' }

export type Market = {
  origin: string
  publishableKey: string
  customers: Person[]
  owner: Person
  parts: Part[]
  photo: Uint8Array
  pool: Pool
  acknowledged: Acknowledged
  /** Called with each sent request and each received response. */
  onEvent: () => void
}

const customerDoes = ['book', 'book', 'pay', 'pay', 'pay', 'delete', 'reset', 'expire'] as const
const ownerDoes = ['upload', 'ship', 'refund', 'refund'] as const
type Step<T> = { what: T; which: number }
const stepsOf = <T>(words: readonly T[]): fc.Arbitrary<Step<T>[]> =>
  fc.array(fc.record({ what: fc.constantFrom(...words), which: fc.nat(1000) }), {
    minLength: 4,
    maxLength: 12,
  })

/** The actions of three customers and the owner, repeated until the shop dies. */
export type Plan = {
  customers: Step<(typeof customerDoes)[number]>[][]
  owner: Step<(typeof ownerDoes)[number]>[]
}
export const plan: fc.Arbitrary<Plan> = fc.record({
  customers: fc.array(stepsOf(customerDoes), { minLength: 3, maxLength: 3 }),
  owner: stepsOf(ownerDoes),
})

const pick = <T>(of: T[], which: number): T | undefined => of[which % Math.max(of.length, 1)]

/** Makes one call, and notifies listeners before and after it. */
async function withEvents(market: Market, question: () => Promise<Answer>): Promise<Answer> {
  market.onEvent()
  const answer = await question()
  market.onEvent()
  return answer
}

/** Calls the shop, and records responses that it must not give. */
async function ask(market: Market, question: () => Promise<Answer>): Promise<Answer> {
  const answer = await withEvents(market, question)
  if (answer.status >= 500)
    market.acknowledged.faults.push(`${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

const phone = '+1 555 0100'
export function sendBooking({ by, partIds, quantity, key }: Booking): Promise<Answer> {
  const headers = { 'idempotency-key': key }
  const [partId, ...more] = partIds
  if (more.length === 0) return by.call('POST', '/api/order', { partId, quantity, phone }, headers)
  const lines = partIds.map((each) => ({ partId: each, quantity }))
  return by.call('POST', '/api/orders', { lines, phone }, headers)
}

/** The orders that a booking made. */
export const bookedBy = ({ body }: Answer): string[] => body.orderIds ?? [body.insertedId]

async function book(market: Market, by: Person, which: number): Promise<void> {
  const { acknowledged, parts } = market
  const size = which % 4 === 3 ? 3 : 1
  const wanted = Array.from({ length: size }, (_, i) => (pick(parts, which + i) as Part)._id)
  const booking = {
    by,
    partIds: [...new Set(wanted)],
    quantity: 1 + (which % 3),
    key: randomUUID(),
  }
  acknowledged.unanswered.push(booking)
  const answer = await ask(market, () => sendBooking(booking))
  const { status } = answer
  acknowledged.unanswered.splice(acknowledged.unanswered.indexOf(booking), 1)
  if (status === 200) for (const id of bookedBy(answer)) acknowledged.booked.set(id, booking)
  // "try again", which they do, also when a proxy says that no process answered
  if (status >= 502) acknowledged.unanswered.push(booking)
}

/** The customer's orders that can still be paid or deleted. */
function openOrders({ acknowledged }: Market, by: Person): string[] {
  const paid = new Set(acknowledged.charged.values())
  return [...acknowledged.booked]
    .filter(([id, booking]) => booking.by === by && !acknowledged.deleted.has(id) && !paid.has(id))
    .map(([id]) => id)
}

/** Pays one order; an odd `which` leaves it to the webhook, every fifth card is declined. */
export async function pay(market: Market, by: Person, id: string, which: number): Promise<void> {
  const { acknowledged } = market
  const { body: order } = await ask(market, () => by.call('GET', `/api/order/${id}`))
  const input = { totalPrice: order.checkoutTotal, orderId: id }
  const opened = await ask(market, () => by.call('POST', '/api/create-payment-intent', input))
  if (opened.status !== 200) return
  const clientSecret: string = opened.body.clientSecret
  const intentId = clientSecret.split('_secret_')[0] as string
  const card = which % 5 === 0 ? 'pm_card_chargeDeclined' : 'pm_card_visa'
  // sent to the card provider, which may have problems of its own
  const confirmed = await withEvents(market, () =>
    confirmCard(market, { intentId, clientSecret }, card),
  )
  if (confirmed.status !== 200) return
  acknowledged.charged.set(intentId, id)
  if (which % 2 === 0) {
    await ask(market, () => by.call('PATCH', `/api/order/${id}`, { transactionId: intentId }))
  }
}

/** One action of a customer; `which` picks the part, the order, the card. */
export async function act(
  market: Market,
  by: Person,
  { what, which }: Step<string>,
): Promise<void> {
  const { acknowledged, origin, pool } = market
  if (what === 'book') return book(market, by, which)
  if (what === 'pay') {
    const id = pick(openOrders(market, by).slice(-3), which)
    return id ? pay(market, by, id, which) : book(market, by, which)
  }
  if (what === 'reset') {
    const body = { email: by.email, redirectTo: '/reset-password' }
    const path = '/identity/request-password-reset'
    const request = () => call(origin, 'POST', path, { body, headers: { origin } })
    const { status } = await ask(market, request)
    if (status === 200)
      acknowledged.resets.set(by.email, (acknowledged.resets.get(by.email) ?? 0) + 1)
    return
  }
  const id = pick(openOrders(market, by), which)
  if (!id) return book(market, by, which)
  if (what === 'delete') {
    const { status } = await ask(market, () => by.call('DELETE', `/api/userProduct/${id}`))
    if (status === 200) acknowledged.deleted.add(id)
    return
  }
  const over = `update orders set hold_expires_at = now() - interval '1 second' where _id = $1 and hold_expires_at is not null`
  await pool.query(over, [id])
}

let added = 0

/** One action of the owner. */
export async function manage(market: Market, { what, which }: Step<string>): Promise<void> {
  const { acknowledged, owner, photo } = market
  if (what === 'upload') {
    const { status, body } = await ask(market, () => upload(market, owner, photo))
    if (status !== 200) return
    acknowledged.pictures.add(body.data.url)
    added += 1
    const part = { name: `Busy ${process.pid} ${added}`, description: 'Added on a busy day.' }
    const numbers = { price: 5, minimumOrderQuantity: 1, availableQuantity: 3 }
    const answer = await ask(market, () =>
      owner.call('POST', '/api/product', { ...part, ...numbers, image: body.data.url }),
    )
    if (answer.status === 200) acknowledged.parts.set(answer.body.insertedId, body.data.url)
    return
  }
  const id = pick([...acknowledged.charged.values()], which)
  if (!id) {
    await ask(market, () => owner.call('GET', '/api/allOrders?limit=5'))
    return
  }
  if (what === 'ship') {
    const { status } = await ask(market, () => owner.call('PUT', `/api/order/${id}/shipped`, {}))
    if (status === 200) acknowledged.shipped.add(id)
    return
  }
  const refund = { amount: 1 + (which % 40), reason: 'A busy day', restock: which % 2 }
  const { status } = await ask(market, () =>
    owner.call('POST', `/api/order/${id}/refund`, refund, { 'idempotency-key': randomUUID() }),
  )
  if (status === 200) acknowledged.refunded.add(id)
}

/** Repeats the steps until the shop is gone. */
async function untilBroken<T>(steps: T[], does: (step: T) => Promise<void>, alive: () => boolean) {
  for (let i = 0; alive(); i += 1) {
    try {
      await does(steps[i % steps.length] as T)
    } catch (error) {
      if (!alive()) return
      throw error
    }
  }
}

/**
 * Runs all actors until the shop dies.
 * @param alive false as soon as it was killed: from then on broken connections are expected
 */
export async function busyDay(market: Market, { customers, owner }: Plan, alive: () => boolean) {
  await Promise.all([
    ...customers.map((steps, i) =>
      untilBroken(steps, (step) => act(market, market.customers[i] as Person, step), alive),
    ),
    untilBroken(owner, (step) => manage(market, step), alive),
  ])
}

/** Makes all mails those of an earlier day: a customer gets no more than the day's. */
export async function beginDay({ pool, acknowledged }: Market): Promise<void> {
  await pool.query(`update mail_queue set created_at = created_at - interval '2 days'`)
  acknowledged.resets.clear()
}

/** Restocks for another round: scarce enough that customers compete. */
export async function fillShelves({ pool, parts }: Market): Promise<void> {
  for (const { _id } of parts) {
    await pool.query(
      `insert into stock_movements (part_id, type, on_hand_delta, reason)
       select _id, 'receive', 8 - (on_hand - reserved), 'a new day' from parts
       where _id = $1 and on_hand - reserved < 8`,
      [_id],
    )
  }
}
