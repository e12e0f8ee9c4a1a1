/** Parts and stock for tests, and what must hold of a shop whatever happened to it. */
import type { Pool } from 'pg'
import type { Part } from '#contracts/parts.ts'
import { findBreaches } from '#server/database/invariants.ts'

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
      `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', $2)`,
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

/** The names of the promises that are broken; empty for a sound shop. */
export async function brokenInvariants(pool: Pool): Promise<string[]> {
  return [...new Set((await findBreaches(pool)).map(({ promise }) => promise))]
}
