import { and, asc, eq, sql } from 'drizzle-orm'
import type { QueueLength, QueuePlace } from '#contracts/queue.ts'
import type { Queryable } from '#server/database/client.ts'
import { expectedGoods } from '#server/database/expected-goods.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { withTimes } from '#server/database/times.ts'

const read = (db: Queryable) =>
  db
    .select({
      _id: queuePlaces._id,
      partId: queuePlaces.partId,
      product: parts.name,
      image: parts.image,
      price: parts.price,
      minimumOrderQuantity: parts.minimumOrderQuantity,
      quantity: sql<number>`coalesce(${queuePlaces.wantedQuantity}, ${queuePlaces.quantity})`,
      offerQuantity: sql<number>`in_turn.units`,
      position: sql<number>`in_turn."position"`,
      isOffered: sql<boolean>`${queuePlaces.offeredAt} is not null`,
      expected: expectedGoods,
      offerEndsAt: queuePlaces.offerEndsAt,
      createdAt: queuePlaces.createdAt,
    })
    .from(queuePlaces)
    .innerJoin(parts, eq(parts._id, queuePlaces.partId))
    .innerJoin(
      sql`lateral queue_of(${queuePlaces.partId}) in_turn`,
      sql`in_turn.place_id = ${queuePlaces._id}`,
    )

/** Lists the customer's places, offers first. */
export async function listPlaces(db: Queryable, userId: string): Promise<QueuePlace[]> {
  const rows = await read(db)
    .where(eq(queuePlaces.userId, userId))
    .orderBy(sql`${queuePlaces.offeredAt} is null`, asc(queuePlaces.turn))
  return rows.map(withTimes)
}

/** Finds a place of the customer by its own id or by its part's. */
export async function findPlace(
  db: Queryable,
  userId: string,
  which: { id: string } | { partId: string },
): Promise<QueuePlace | undefined> {
  const isThisPlace =
    'id' in which ? eq(queuePlaces._id, which.id) : eq(queuePlaces.partId, which.partId)
  const [row] = await read(db).where(and(eq(queuePlaces.userId, userId), isThisPlace))
  return row && withTimes(row)
}

/** Counts who waits for a part, and reads what is expected of it; a part that is gone has none. */
export async function readLength(db: Queryable, partId: string): Promise<QueueLength> {
  const [waiting, [part]] = await Promise.all([
    db.$count(queuePlaces, eq(queuePlaces.partId, partId)),
    db
      .select({ expected: expectedGoods })
      .from(parts)
      .where(and(eq(parts._id, partId), isOnSale)),
  ])
  return { waiting, expected: part?.expected ?? null }
}
