import type { QueryRunner } from '#server/database/client.ts'

/** What the shop has stored about one payment and its orders. Amounts are in cents. */
export type StoredPayment = {
  intentId: string
  status: 'open' | 'succeeded' | 'canceled' | 'unmatched'
  amount: number
  /** The id of its first order. */
  orderId: string
  /** The product and number of each order. */
  name: string
  orderStatus: string
  /** The refunded amount, and the amount that is requested and not refunded yet. */
  refunded: number
  requested: number
  /** The units of its orders in the stock ledger: sold, restocked, held. */
  sold: number
  restocked: number
  held: number
}

/** Reads the payments of these intents, and all opened since `since`, by intent. */
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

/** Reads the names of these orders, by id. Unknown orders are left out. */
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
