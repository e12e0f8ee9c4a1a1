import { and, inArray, sql } from 'drizzle-orm'
import { type BasketLine, basketTotal, basketWeight } from '#contracts/basket.ts'
import { weightOf } from '#contracts/shipping-rules.ts'
import type { Queryable } from '#server/database/client.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { readSettings } from '#server/features/settings/store.ts'

const readUnknownG = async (db: Queryable) =>
  Number((await readSettings(db)).settings.shop.unknownWeight)

/** What units of parts weigh together now, in grams; unknown weights are as the owner says. */
export async function weighParts(
  db: Queryable,
  lines: readonly { partId: string; quantity: number }[],
): Promise<number> {
  const ids = lines.map(({ partId }) => partId)
  const rows = await db
    .select({ _id: parts._id, weightG: parts.weightG })
    .from(parts)
    .where(inArray(parts._id, ids))
  const weights = new Map(rows.map(({ _id, weightG }) => [_id, weightG]))
  const weighed = lines.map(({ partId, quantity }) => ({
    weightG: weights.get(partId) ?? 0,
    quantity,
  }))
  return weightOf(weighed, await readUnknownG(db))
}

/** What the parts of a basket cost and weigh, in grams; those that cannot be booked add nothing. */
export async function weighBasket(
  db: Queryable,
  lines: BasketLine[],
): Promise<{ goods: number; weightG: number }> {
  const { number, price, weightG, minimumOrderQuantity } = parts
  const rows = await db
    .select({
      ...{ number, price, weightG, minimumOrderQuantity },
      availableQuantity: sql<number>`${parts.onHand} - ${parts.reserved}`,
    })
    .from(parts)
    .where(
      and(
        isOnSale,
        inArray(
          number,
          lines.map((line) => line.number),
        ),
      ),
    )
  const wanted = lines.map((line) => ({
    part: rows.find((row) => row.number === line.number),
    quantity: line.quantity,
  }))
  return { goods: basketTotal(wanted), weightG: basketWeight(wanted, await readUnknownG(db)) }
}
