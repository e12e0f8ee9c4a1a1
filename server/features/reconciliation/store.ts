import type { QueryRunner } from '#server/database/client.ts'

/** Our rows about one payment and its orders. Amounts are in cents. */
export type StoredPayment = {
  intentId: string
  status: 'open' | 'succeeded' | 'canceled' | 'unmatched'
  amount: number
  /** The first of its orders. */
  orderId: string
  /** Product and number of each. */
  name: string
  orderStatus: string
  /** Refunded of it, and requested and not made yet. */
  refunded: number
  requested: number
  /** Units of its orders in the stock ledger: sold, restocked, held. */
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
    `select y.intent_id as "intentId", y.status, y.amount, o._id as "orderId", o.name, o.status as "orderStatus",
      coalesce((select sum(amount) from refunds r where r.intent_id = y.intent_id and state in ('pending', 'succeeded')), 0)::int as refunded,
      coalesce((select sum(amount) from refunds r where r.intent_id = y.intent_id and state = 'requested'), 0)::int as requested,
      m.sold, m.restocked, m.held
    from payments y
      cross join lateral (
        select (array_agg(_id order by _id))[1] as _id, string_agg(concat_ws(', ', product, number), '; ' order by _id) as name,
          string_agg(distinct status, ', ') as status
        from orders where checkout_id = y.checkout_id) o
      cross join lateral (
        select coalesce(sum(k.quantity) filter (where m.type = 'sell'), 0)::int as sold,
          coalesce(sum(m.on_hand_delta - m.reserved_delta) filter (where m.type = 'restock'), 0)::int as restocked,
          coalesce(sum(m.reserved_delta), 0)::int as held
        from orders k join stock_movements m on m.order_id = k._id where k.checkout_id = y.checkout_id) m
    where y.intent_id = any($1) or y.created_at > $2`,
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
