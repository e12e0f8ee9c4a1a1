/** Money that comes late or goes back, as the card provider and the database have it. */
import type { Pool } from 'pg'
import type { Refund } from '#server/adapters/payments/port.ts'
import type { TestShop } from './shop.ts'

/** Opens an intent of an order that the shop does not record, as a crash would leave one. */
export async function strayIntent({ pool, deps }: TestShop, orderId: string) {
  const { rows } = await pool.query(
    `select user_id as "userId", total_price * 100 as amount, email as "receiptEmail" from orders where _id = $1`,
    [orderId],
  )
  const { id: intentId, clientSecret } = await deps.payments.createIntent({
    ...rows[0],
    orderId,
    description: 'opened elsewhere',
    idempotencyKey: crypto.randomUUID(),
  })
  return { intentId, clientSecret }
}

/** Gives cents back in the provider's dashboard. */
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

/** The text of a query by which no order can take the money of intent $1, and all of it is requested back. */
export const unmatch = `with unmatched as (update payments set status = 'unmatched' where intent_id = $1 returning *)
  insert into refunds (intent_id, cause, amount, state, reason)
  select intent_id, 'unmatched_payment', amount, 'requested', 'the order is deleted' from unmatched`
