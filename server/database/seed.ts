import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { parts } from '#server/database/schema/parts.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { type DemoPart, demoParts, demoReviews } from '#server/database/seed/content.ts'
import type { Database } from './client.ts'

const seedLock = 0x5eed
const drawings = join(import.meta.dirname, 'seed', 'pictures')

/** Stores a picture and returns its URL. */
export type StoreImage = (drawing: Buffer) => Promise<string>

async function insertPart(
  tx: Pick<Database, 'insert'>,
  { picture: _, alt: __, onHand, ...part }: DemoPart,
  image: string,
): Promise<void> {
  const [row] = await tx
    .insert(parts)
    .values({ ...part, image })
    .returning({ _id: parts._id })
  if (!row || onHand === 0) return
  await tx.insert(stockMovements).values({
    partId: row._id,
    type: 'receive',
    onHandDelta: onHand,
    reason: 'demo stock',
  })
}

/**
 * Seeds an empty shop with demo parts and reviews, all or nothing.
 * @returns false for a shop that has parts
 */
export async function seedDemo(db: Database, keepPicture: StoreImage): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`)
    const known = await tx.select({ _id: parts._id }).from(parts).limit(1)
    if (known.length > 0) return false
    // one at a time: each already uses several threads, and all at once would cost 50 MB for good
    for (const part of demoParts)
      await insertPart(tx, part, await keepPicture(await readFile(join(drawings, part.picture))))
    const day = 24 * 60 * 60 * 1000
    await tx.insert(reviews).values(
      demoReviews.map((review, i) => ({
        ...review,
        email: `reviewer${i + 1}@ferrite.example`,
        createdAt: new Date(Date.now() - (i + 1) * 3 * day),
      })),
    )
    return true
  })
}
