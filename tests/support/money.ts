/** A shop in which customers pay, and payments that arrive late or are refunded. */
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Checkout } from '#contracts/checkouts.ts'
import { sumOfTotals } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import type { Refund } from '#server/adapters/payments/port.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  controlSandbox,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
} from './people.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { brokenInvariants, stockPart } from './stock.ts'

type Payment = { intentId: string; clientSecret: string }

/**
 * Opens one shop for the tests of a file, and checks its invariants after them. The objects stay;
 * each test gets a new customer in `ada` and a new part in `part`.
 */
export function payingShop({
  price = 250,
  webhooks = 'drop',
}: {
  price?: number
  webhooks?: 'drop' | 'normal'
} = {}) {
  const [shop, owner, ada, part] = [{} as TestShop, {} as Person, {} as Person, {} as Part]
  const control = (path: string, body: object) => controlSandbox(shop.origin, path, body)
  const confirm = (payment: Payment, card?: string) => confirmCard(cardsOf(shop), payment, card)
  const reportPayment = (id: string, transactionId: string) =>
    ada.call('PATCH', `/api/order/${id}`, { transactionId })
  /** Moves the end of a hold into the past. */
  const passHold = (id: string) =>
    shop.pool.query(
      `update orders set hold_expires_at = now() - interval '1 second' where _id = $1`,
      [id],
    )
  const renewAda = async () => {
    Object.assign(ada, (await createUsers(shop, 1))[0])
  }

  beforeAll(async () => {
    Object.assign(shop, await openTestShop({ DEMO: 'off' }))
    Object.assign(owner, await login(shop.origin, 'owner@ferrite.example', 'owner-password'))
  })
  beforeEach(async () => {
    await control('webhooks', { mode: webhooks })
    await renewAda()
    Object.assign(part, await stockPart(shop.pool, { onHand: 10, price }))
  })
  afterAll(async () => {
    expect(await brokenInvariants(shop.pool)).toEqual([])
    await shop.close()
  })

  /** An order whose card was charged, known only to the provider. */
  async function chargedOrder(quantity: number, card?: string) {
    const id = await bookingOf(ada, part, { quantity })
    const payment = await intentFor(ada, id)
    expect((await confirm(payment, card)).status).toBe(200)
    return { id, ...payment }
  }
  /** A new checkout of one unit each of new parts at these prices, with 10 units of each. */
  async function bookedCheckout(prices: number[], quantity = 1) {
    const parts = await Promise.all(
      prices.map((price) => stockPart(shop.pool, { onHand: 10, price })),
    )
    const lines = parts.map(({ _id: partId }) => ({ partId, quantity }))
    const { status, body } = await ada.call('POST', '/api/orders', { phone: '+1 555 0100', lines })
    expect([status, body.error]).toEqual([200, undefined])
    return { id: body.insertedId as string, orderIds: body.orderIds as string[], parts }
  }
  const checkoutOf = async (id: string): Promise<Checkout> =>
    (await ada.call('GET', `/api/checkout/${id}`)).body
  /** Pays a checkout at what it costs now. @returns its intent */
  async function payCheckout(id: string): Promise<string> {
    const { orders, due } = await checkoutOf(id)
    const orderId = orders[0]?._id
    const request = { totalPrice: sumOfTotals(orders), due, orderId }
    const { status, body } = await ada.call('POST', '/api/create-payment-intent', request)
    expect([status, body.error]).toEqual([200, undefined])
    const intentId = body.clientSecret.split('_secret_')[0]
    expect((await confirm({ clientSecret: body.clientSecret, intentId })).status).toBe(200)
    expect((await reportPayment(orderId ?? '', intentId)).status).toBe(200)
    return intentId
  }
  return {
    ...{ shop, owner, ada, part, control, confirm },
    ...{ bookedCheckout, checkoutOf, payCheckout },
    ...{ reportPayment, passHold, renewAda, chargedOrder },
    async endHold(id: string) {
      await passHold(id)
      const holdOf = async () => (await orderOf(ada, id)).holdExpiresAt
      await expect.poll(holdOf).toBeNull()
    },
    async paidOrder(quantity: number, card?: string) {
      const { id, intentId } = await chargedOrder(quantity, card)
      expect((await reportPayment(id, intentId)).status).toBe(200)
      return { id, intentId }
    },
  }
}

/**
 * Opens an intent of an order that the shop does not record, as a crash would leave one.
 * @param amount in dollars, of its checkout
 */
export async function strayIntent({ pool, deps }: TestShop, orderId: string, amount?: number) {
  const { rows } = await pool.query(
    `select user_id as "userId", total_cents as amount, email as "receiptEmail" from orders where _id = $1`,
    [orderId],
  )
  const { id: intentId, clientSecret } = await deps.payments.createIntent({
    ...rows[0],
    ...(amount && { amount: amount * 100 }),
    orderId,
    description: 'opened elsewhere',
    idempotencyKey: crypto.randomUUID(),
  })
  return { intentId, clientSecret }
}

/** Refunds cents in the provider's dashboard. */
export const refundByHand = (
  { deps }: TestShop,
  intentId: string,
  amount: number,
): Promise<Refund> =>
  deps.payments.refund({
    intentId,
    amount,
    reference: 'none of the shop’s',
    idempotencyKey: crypto.randomUUID(),
  })

/** The refunds of an intent, oldest first. */
export async function refundsOf(pool: Pool, intentId: string) {
  const { rows } = await pool.query(
    'select cause, amount, state, provider_id from refunds where intent_id = $1 order by created_at, cause',
    [intentId],
  )
  return rows
}

/**
 * The text of a query that inserts refunds, each with a line for the order that its payment paid.
 * @param restock the units to restock
 */
export const withLines = (insert: string, restock = '0') => `with made as (${insert} returning *)
  insert into refund_lines (refund_id, order_id, amount, restock)
  select made._id, o._id, made.amount, ${restock} from made join orders o on o.transaction_id = made.intent_id
  returning refund_id as _id`

/**
 * The text of a query that marks the payment of intent $1 as unmatched and requests a full refund.
 */
export const unmatch = `with unmatched as (update payments set status = 'unmatched' where intent_id = $1 returning *)
  insert into refunds (intent_id, cause, amount, state, reason)
  select intent_id, 'unmatched_payment', amount, 'requested', 'the order is deleted' from unmatched`
