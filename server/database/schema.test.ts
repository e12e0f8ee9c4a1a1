/** What the database itself refuses, for every writer. */

import { getTableColumns } from 'drizzle-orm'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canBecome, orderFieldsWith, orderStatuses } from '#contracts/orders.ts'
import { migrate } from '#server/database/migrate.ts'
import { orders } from '#server/database/schema/orders.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { unmatch } from '#tests/support/money.ts'
import { stockOf, stockPart } from '#tests/support/stock.ts'

let database: TestDatabase
let pool: Pool
let userId: string

beforeAll(async () => {
  database = await migratedDatabase()
  pool = database.pool
  const { rows } = await pool.query(
    `insert into users (issuer, subject, email, name) values ('test', 'one', 'one@example.com', 'One') returning _id`,
  )
  userId = rows[0]._id
})
afterAll(() => database.drop())

const refusal = (query: string, values: unknown[] = []) =>
  pool.query(query, values).then(
    () => 'accepted',
    (error) => error.constraint ?? error.message,
  )

/** Runs statements in one transaction, like a caller that omits something. */
async function transaction(...statements: [string, unknown[]][]): Promise<string> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const [query, values] of statements) await client.query(query, values)
    await client.query('commit')
    return 'accepted'
  } catch (error) {
    await client.query('rollback')
    const { constraint, message } = error as { constraint?: string; message: string }
    return constraint ?? message
  } finally {
    client.release()
  }
}

const insertOrder = `insert into orders
  (_id, user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents, hold_expires_at, hold_limit_at)
  values ($1, $2, $3, 'P', '/i', 'One', 'one@example.com', '12345', $4, $5, $6, $7, $7)`
const insertHold = `insert into stock_movements (part_id, order_id, type, reserved_delta) values ($1, $2, 'hold', $3)`
const soon = () => new Date(Date.now() + 60_000)

async function heldOrder(quantity = 2) {
  const part = await stockPart(pool, { onHand: 10, price: 100 })
  const id = crypto.randomUUID()
  const outcome = await transaction(
    [insertOrder, [id, userId, part._id, quantity, 10_000, quantity * 10_000, soon()]],
    [insertHold, [part._id, id, quantity]],
  )
  expect(outcome).toBe('accepted')
  return { id, part }
}

describe('stock', () => {
  test('changes only by a line in the ledger', async () => {
    const part = await stockPart(pool, { onHand: 5 })
    expect(await refusal('update parts set on_hand = 50 where _id = $1', [part._id])).toMatch(
      /only by/,
    )
    expect(await refusal('update parts set reserved = 1 where _id = $1', [part._id])).toMatch(
      /only by/,
    )
    expect(await stockOf(pool, part._id)).toEqual({ onHand: 5, reserved: 0 })
  })

  test('lines are never changed or removed', async () => {
    await stockPart(pool, { onHand: 5 })
    expect(await refusal('update stock_movements set on_hand_delta = 9')).toMatch(/append-only/)
    expect(await refusal('delete from stock_movements')).toMatch(/append-only/)
  })

  test('cannot be held beyond what is there, nor go below zero', async () => {
    const part = await stockPart(pool, { onHand: 5 })
    const id = crypto.randomUUID()
    const order: [string, unknown[]] = [insertOrder, [id, userId, part._id, 6, 1, 6, soon()]]
    expect(await transaction(order, [insertHold, [part._id, id, 6]])).toBe('parts_reserved')
    const adjust = `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'adjust', -6)`
    expect(await refusal(adjust, [part._id])).toBe('parts_on_hand')
  })
})

describe('an order', () => {
  test('has the total of its quantity and price', async () => {
    const part = await stockPart(pool, { onHand: 5 })
    for (const total of [0, 1, 199, 201]) {
      const order = [crypto.randomUUID(), userId, part._id, 2, 100, total, null]
      expect(await refusal(insertOrder, order)).toMatch(/^orders_total/)
    }
  })

  test('with a hold holds its units, without one it holds none', async () => {
    const part = await stockPart(pool, { onHand: 5 })
    const order = [crypto.randomUUID(), userId, part._id, 2, 100, 200, soon()]
    expect(await transaction([insertOrder, order])).toBe('orders_hold_in_ledger')
    const { id } = await heldOrder()
    expect(await refusal('update orders set hold_expires_at = null where _id = $1', [id])).toBe(
      'orders_hold_in_ledger',
    )
  })

  test('holds its own quantity, once', async () => {
    const { id, part } = await heldOrder(2)
    expect(await refusal(insertHold, [part._id, id, 2])).toBe('stock_movements_order_hold')
    expect(await refusal(insertHold, [part._id, id, 1])).toBe('stock_movements_order_hold')
  })

  test('is paid only with a payment of its total and its units sold', async () => {
    const { id, part } = await heldOrder(2)
    const pay: [string, unknown[]] = [
      `update orders set status = 'paid', transaction_id = 'pi_1', hold_expires_at = null where _id = $1`,
      [id],
    ]
    const sell: [string, unknown[]] = [
      `insert into stock_movements (part_id, order_id, type) values ($1, $2, 'sell')`,
      [part._id, id],
    ]
    const money = (amount: number): [string, unknown[]] => [
      `insert into payments (intent_id, checkout_id, amount, status) values ('pi_1', (select checkout_id from orders where _id = $1), $2, 'succeeded')`,
      [id, amount],
    ]
    expect(await transaction(pay)).toBe('orders_sold_in_ledger')
    expect(await transaction(pay, sell)).toBe('orders_paid_in_payments')
    expect(await transaction(pay, sell, money(19_999))).toBe('orders_paid_in_payments')
    const late: [string, unknown[]] = [unmatch, ['pi_1']]
    expect(await transaction(money(20_000), late, pay, sell)).toBe('orders_paid_in_payments')
    expect(await transaction(pay, sell, money(20_000))).toBe('accepted')
    expect(await transaction(sell)).not.toBe('accepted')
    const second = `insert into payments (intent_id, checkout_id, amount, status) values ('pi_2', (select checkout_id from orders where _id = $1), 20000, 'succeeded')`
    expect(await refusal(second, [id])).toBe('payments_one_succeeded')
    expect(await refusal(`update orders set transaction_id = 'pi_2' where _id = $1`, [id])).toMatch(
      /frozen/,
    )
    expect(await stockOf(pool, part._id)).toEqual({ onHand: 10, reserved: 2 })
  })

  test('keeps what was booked, and is never removed', async () => {
    const { id } = await heldOrder(2)
    const change = 'update orders set quantity = 1, total_cents = 10000 where _id = $1'
    expect(await refusal(change, [id])).toMatch(/frozen/)
    expect(await refusal('delete from orders where _id = $1', [id])).toMatch(/append-only/)
  })

  test('keeps what its fields call frozen once it is paid', async () => {
    const { id, part } = await heldOrder(2)
    const paid = await transaction(
      [
        `update orders set status = 'paid', transaction_id = 'pi_frozen', hold_expires_at = null where _id = $1`,
        [id],
      ],
      [
        `insert into stock_movements (part_id, order_id, type) values ($1, $2, 'sell')`,
        [part._id, id],
      ],
      [
        `insert into payments (intent_id, checkout_id, amount, status) values ('pi_frozen', (select checkout_id from orders where _id = $1), 20000, 'succeeded')`,
        [id],
      ],
    )
    expect(paid).toBe('accepted')
    const columns = getTableColumns(orders)
    const frozen = orderFieldsWith('isFrozen')
    expect(frozen.length).toBeGreaterThan(3)
    for (const field of frozen) {
      const { name, columnType } = columns[field]
      const other = columnType === 'PgUUID' ? crypto.randomUUID() : '7'
      const change = `update orders set ${name} = $2 where _id = $1`
      expect([field, await refusal(change, [id, other])]).toEqual([
        field,
        expect.stringMatching(/frozen|append-only/),
      ])
    }
  })

  test('lives by the same table in the contracts and in the database', async () => {
    const { rows } = await pool.query<{ source: string }>(
      `select prosrc as source from pg_proc where proname = 'guard_order'`,
    )
    const inDatabase = [...(rows[0]?.source ?? '').matchAll(/\('(\w+)', '(\w+)'\)/g)].map(
      ([, from, to]) => `${from} → ${to}`,
    )
    const inContracts = orderStatuses.flatMap((from) =>
      orderStatuses.filter((to) => canBecome(from, to)).map((to) => `${from} → ${to}`),
    )
    expect(inDatabase.toSorted()).toEqual(inContracts.toSorted())
  })

  test('one open payment at a time', async () => {
    const { id } = await heldOrder()
    const open = (intent: string) =>
      refusal(
        `insert into payments (intent_id, checkout_id, amount) values ($1, (select checkout_id from orders where _id = $2), 20000)`,
        [intent, id],
      )
    expect(await open('pi_open_1')).toBe('accepted')
    expect(await open('pi_open_2')).toBe('payments_one_open')
  })
})

describe('a checkout', () => {
  const insertInto = `insert into orders
    (_id, user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents, checkout_id)
    values ($1, $2, $3, 'P', '/i', 'One', 'one@example.com', '12345', 1, 10000, 10000, $4)`
  const payment = (intent: string, amount: number, status = 'succeeded'): string =>
    `insert into payments (intent_id, checkout_id, amount, status) values ('${intent}', $1, ${amount}, '${status}')`

  /** Two unpaid orders of $100 in one checkout, and a payment for one of them. */
  async function twoOrders(intent: string) {
    const part = await stockPart(pool, { onHand: 10, price: 100 })
    const [checkout, ...ids] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    for (const id of ids)
      expect(await refusal(insertInto, [id, userId, part._id, checkout])).toBe('accepted')
    const pay = (id: string): [string, unknown[]][] => [
      [insertHold, [part._id, id, 1]],
      [
        `insert into stock_movements (part_id, order_id, type) values ($1, $2, 'sell')`,
        [part._id, id],
      ],
      [`update orders set status = 'paid', transaction_id = '${intent}' where _id = $1`, [id]],
    ]
    return { checkout, part, first: ids[0] as string, second: ids[1] as string, pay }
  }

  test('is paid whole or not at all', async () => {
    const { checkout, first, second, pay } = await twoOrders('pi_two')
    const whole: [string, unknown[]] = [payment('pi_two', 20_000), [checkout]]
    expect(await transaction(whole, ...pay(first))).toBe('payments_pay_checkout')
    const half: [string, unknown[]] = [payment('pi_two', 10_000), [checkout]]
    expect(await transaction(half, ...pay(first))).toMatch(/^(payments_pay_checkout|orders_paid)/)
    expect(await transaction(half, ...pay(first), ...pay(second))).toMatch(
      /^(payments_pay_checkout|orders_paid)/,
    )
    expect(await transaction(whole, ...pay(first), ...pay(second))).toBe('accepted')
  })

  test('is of one customer, and takes no order once its payment is open or made', async () => {
    const { checkout, part, first } = await twoOrders('pi_open_two')
    const more = () => refusal(insertInto, [crypto.randomUUID(), userId, part._id, checkout])
    const { rows } = await pool.query(
      `insert into users (issuer, subject, email, name) values ('test', 'two', 'two@example.com', 'Two') returning _id`,
    )
    const foreign = [crypto.randomUUID(), rows[0]._id, part._id, checkout]
    expect(await refusal(insertInto, foreign)).toBe('orders_checkout_of_customer')
    expect(await more()).toBe('accepted')
    const nowhere = 'update orders set checkout_id = gen_random_uuid() where _id = $1'
    expect(await refusal(nowhere, [first])).toBe('orders_checkout_of_customer')
    const alone = crypto.randomUUID()
    expect(await refusal(insertInto, [alone, userId, part._id, crypto.randomUUID()])).toBe(
      'accepted',
    )
    const move =
      'update orders set checkout_id = (select checkout_id from orders where _id = $2) where _id = $1'
    expect(await refusal(payment('pi_less', 20_000, 'open'), [checkout])).toBe('payments_open_due')
    expect(await refusal(payment('pi_open_two', 30_000, 'open'), [checkout])).toBe('accepted')
    expect(await more()).toBe('checkouts_frozen')
    expect(await refusal(move, [alone, first])).toBe('checkouts_frozen')
    expect(await refusal(move, [first, alone])).toBe('checkouts_frozen')
  })

  test('refunds line by line, and the lines of a refund add up to it', async () => {
    const { checkout, first, second, pay } = await twoOrders('pi_lines')
    const whole: [string, unknown[]] = [payment('pi_lines', 20_000), [checkout]]
    expect(await transaction(whole, ...pay(first), ...pay(second))).toBe('accepted')
    const refund = (amount: number): [string, unknown[]] => [
      `insert into refunds (_id, intent_id, cause, amount, state, provider_id)
       values (md5($1)::uuid, 'pi_lines', 'provider', ${amount}, 'succeeded', $1)`,
      [`re_${amount}`],
    ]
    const line = (of: number, id: string, amount: number): [string, unknown[]] => [
      'insert into refund_lines (refund_id, order_id, amount) values (md5($1)::uuid, $2, $3)',
      [`re_${of}`, id, amount],
    ]
    expect(await transaction(refund(500))).toBe('refund_lines_sum')
    expect(await transaction(refund(500), line(500, second, 499))).toBe('refund_lines_sum')
    expect(await transaction(refund(10_001), line(10_001, second, 10_001))).toBe(
      'refunds_within_paid',
    )
    const { id: other } = await heldOrder()
    expect(await transaction(refund(500), line(500, other, 500))).toBe('refund_lines_of_paid')
    expect(await transaction(refund(10_000), line(10_000, second, 10_000))).toBe('accepted')
    const { rows } = await pool.query(
      'select _id, status, refunded_cents from orders where checkout_id = $1',
      [checkout],
    )
    expect(new Map(rows.map((row) => [row._id, [row.status, row.refunded_cents]]))).toEqual(
      new Map([
        [first, ['paid', 0]],
        [second, ['refunded', 10_000]],
      ]),
    )
    const change = 'update refund_lines set amount = 1 where order_id = $1'
    expect(await refusal(change, [second])).toMatch(/append-only/)
  })
})

describe('money that no order could take', () => {
  /** A received payment of $200 for a deleted order. */
  async function latePayment() {
    const { id, part } = await heldOrder(2)
    const intentId = `pi_late_${id}`
    const open =
      'insert into payments (intent_id, checkout_id, amount) values ($1, (select checkout_id from orders where _id = $2), 20000)'
    expect(await refusal(open, [intentId, id])).toBe('accepted')
    expect(await refusal(unmatch, [intentId])).toBe('accepted')
    return { intentId, orderId: id, part }
  }
  const insertRefund = (values: string) =>
    `insert into refunds (intent_id, cause, amount, state, provider_id, reason, requested_by, idempotency_key, request_hash)
     values ($1, ${values})`

  test('is recorded as a refund, or as an open payment', async () => {
    const { id } = await heldOrder(2)
    const received = `insert into payments (intent_id, checkout_id, amount, status) values ('pi_kept', (select checkout_id from orders where _id = $1), 20000, 'unmatched')`
    expect(await refusal(received, [id])).toBe('payments_unmatched_refunded')
  })

  test('goes back once, and not as a refund of an order', async () => {
    const { intentId, part, orderId } = await latePayment()
    const refund = (values: string) => refusal(insertRefund(values), [intentId])
    const admin = `'admin', 1, 'requested', null, 'x', '${userId}', 'key', 'hash'`
    expect(await refund(admin)).toBe('refunds_of_paid')
    const more = `'unmatched_payment', 1, 'requested', null, 'x', null, null, null`
    expect(await refund(more)).toBe('refunds_within_paid')
    const tooMuch = `'provider', 20001, 'succeeded', 're_much', null, null, null, null`
    expect(await refund(tooMuch)).toBe('refunds_within_paid')
    expect(await refund(tooMuch.replace('succeeded', 'requested'))).toBe('refunds_cause')
    const line = `insert into refund_lines (refund_id, order_id, amount) select _id, $2, 1 from refunds where intent_id = $1`
    expect(await refusal(line, [intentId, orderId])).toBe('refund_lines_of_paid')
    const another = `update refunds set intent_id = 'pi_other' where intent_id = $1`
    expect(await refusal(another, [intentId])).toMatch(/frozen/)
    expect(
      await refusal(
        `update refunds set state = 'succeeded', provider_id = 're_late' where intent_id = $1`,
        [intentId],
      ),
    ).toBe('accepted')
    const { rows } = await pool.query('select status, refunded_cents from orders where _id = $1', [
      orderId,
    ])
    expect(rows).toEqual([{ status: 'unpaid', refunded_cents: 0 }])
    expect(await stockOf(pool, part._id)).toEqual({ onHand: 10, reserved: 2 })
  })

  test('is not refunded for an open payment, a paid order or a missing one', async () => {
    const { id } = await heldOrder(2)
    const open = `insert into payments (intent_id, checkout_id, amount) values ('pi_unpaid', (select checkout_id from orders where _id = $1), 20000)`
    expect(await refusal(open, [id])).toBe('accepted')
    const back = insertRefund(`'unmatched_payment', 1, 'requested', null, 'x', null, null, null`)
    expect(await refusal(back, ['pi_unpaid'])).toBe('refunds_of_paid')
    expect(await refusal(back, ['pi_1'])).toBe('refunds_of_paid')
    expect(await refusal(back, ['pi_nowhere'])).toBe('refunds_intent_id_payments_intent_id_fk')
  })
})

test('applying the migrations again changes nothing', async () => {
  const before = await pool.query('select count(*) from drizzle.__drizzle_migrations')
  await Promise.all([migrate(database.url), migrate(database.url)])
  const after = await pool.query('select count(*) from drizzle.__drizzle_migrations')
  expect(after.rows).toEqual(before.rows)
})
