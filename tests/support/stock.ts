/** Parts and stock for tests, and what must hold of a shop whatever happened to it. */
import type { Pool } from 'pg'
import type { Part } from '#contracts/parts.ts'

let made = 0

/** A part on sale with so much on hand. */
export async function stockPart(
  pool: Pool,
  part: { onHand: number; price?: number; minimum?: number; name?: string },
): Promise<Part> {
  made += 1
  const { rows } = await pool.query(
    `insert into parts (name, kind, image, description, minimum_order_quantity, price)
     values ($1, 'test part', '/images/none-960.webp', 'A part for a test.', $2, $3) returning _id, name`,
    [part.name ?? `Test part ${made}`, part.minimum ?? 1, part.price ?? 100],
  )
  const { _id, name } = rows[0]
  if (part.onHand > 0) {
    await pool.query(
      `insert into stock_movements (part_id, kind, on_hand_delta) values ($1, 'receive', $2)`,
      [_id, part.onHand],
    )
  }
  return {
    _id,
    name,
    kind: 'test part',
    image: '/images/none-960.webp',
    picture: null,
    description: 'A part for a test.',
    minimumOrderQuantity: part.minimum ?? 1,
    availableQuantity: part.onHand,
    price: part.price ?? 100,
  }
}

export async function stockOf(
  pool: Pool,
  partId: string,
): Promise<{ onHand: number; reserved: number }> {
  const { rows } = await pool.query(
    `select on_hand as "onHand", reserved from parts where _id = $1`,
    [partId],
  )
  return rows[0]
}

const invariants: Record<string, string> = {
  'counters equal the ledger': `
    select p._id from parts p left join stock_movements m on m.part_id = p._id group by p._id
    having p.on_hand <> coalesce(sum(m.on_hand_delta), 0) or p.reserved <> coalesce(sum(m.reserved_delta), 0)`,
  'held units belong to orders with a clock': `
    select p._id from parts p left join orders o on o.part_id = p._id and o.hold_expires_at is not null
    group by p._id having p.reserved <> coalesce(sum(o.quantity), 0)`,
  'a paid order has one kept payment of its total': `
    select o._id from orders o where o.status in ('paid', 'shipped') and 1 <> (
      select count(*) from payments where order_id = o._id and status = 'succeeded' and amount = o.total_price * 100)`,
  'a kept payment has a paid order': `
    select intent_id from payments y where status = 'succeeded' and not exists (
      select from orders o where o._id = y.order_id and o.transaction_id = y.intent_id)`,
  'a paid order sold its units once': `
    select o._id from orders o where o.transaction_id is not null and 1 <> (
      select count(*) from stock_movements where order_id = o._id and kind = 'sell')`,
}

/** The names of the promises that are broken; empty for a sound shop. */
export async function brokenInvariants(pool: Pool): Promise<string[]> {
  const broken: string[] = []
  for (const [name, query] of Object.entries(invariants)) {
    if ((await pool.query(query)).rowCount) broken.push(name)
  }
  return broken
}
