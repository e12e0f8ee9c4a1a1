import type { QueryRunner } from '#server/database/client.ts'

/** Our rows about one payment and its order. Amounts are in cents. */
export type StoredPayment = {
  intentId: string
  status: 'open' | 'succeeded' | 'canceled' | 'unmatched'
  amount: number
  orderId: string
  /** Product and number. */
  name: string
  orderStatus: string
  /** Refunded of it, and requested and not made yet. */
  refunded: number
  requested: number
  /** Units of the order in the stock ledger: sold, restocked, held. */
  sold: number
  restocked: number
  held: number
}

/** The payments of these intents, and all opened since then, by intent. */
export async function readStoredPayments(
  db: QueryRunner,
  { intentIds, since }: { intentIds: string[]; since: Date | null },
): Promise<Map<string, StoredPayment>> {
  const { rows } = await db.query<StoredPayment>(
    `select y.intent_id as "intentId", y.status, y.amount, o._id as "orderId", concat_ws(', ', o.product, o.number) as name,
      o.status as "orderStatus",
      coalesce((select sum(amount) from refunds r where r.intent_id = y.intent_id and state in ('pending', 'succeeded')), 0)::int as refunded,
      coalesce((select sum(amount) from refunds r where r.intent_id = y.intent_id and state = 'requested'), 0)::int as requested,
      (count(*) filter (where m.type = 'sell') * o.quantity)::int as sold,
      coalesce(sum(m.on_hand_delta - m.reserved_delta) filter (where m.type = 'restock'), 0)::int as "restocked",
      coalesce(sum(m.reserved_delta), 0)::int as held
    from payments y join orders o on o._id = y.order_id left join stock_movements m on m.order_id = o._id
    where y.intent_id = any($1) or y.created_at > $2
    group by y.intent_id, o._id`,
    [intentIds, since],
  )
  return new Map(rows.map((row) => [row.intentId, row]))
}

/** The names of those of these orders that exist. */
export async function findOrderNames(
  db: QueryRunner,
  orderIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ _id: string; name: string }>(
    `select _id, concat_ws(', ', product, number) as name from orders where _id = any($1)`,
    [orderIds],
  )
  return new Map(rows.map(({ _id, name }) => [_id, name]))
}
