import { sql } from 'drizzle-orm'
import { drawingAddress } from '#contracts/drawings.ts'
import { builds } from '#server/database/schema/builds.ts'
import { parts } from '#server/database/schema/parts.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { demoBuilds, demoReviews, picturedParts } from '#server/database/seed/content.ts'
import { drawnParts } from '#server/database/seed/drawn-parts.ts'
import type { Database, Queryable } from './client.ts'

const seedLock = 0x5eed

async function insertParts(
  tx: Pick<Database, 'insert'>,
  all: (typeof parts.$inferInsert & { onHand: number })[],
): Promise<void> {
  const rows = await tx
    .insert(parts)
    .values(all.map(({ onHand: _, ...part }) => part))
    .returning({ partId: parts._id, name: parts.name })
  const onHand = new Map(all.map((part) => [part.name, part.onHand]))
  const lines = rows.map(({ partId, name }) => ({
    partId,
    type: 'receive' as const,
    onHandDelta: onHand.get(name) ?? 0,
    reason: 'demo stock',
  }))
  await tx.insert(stockMovements).values(lines.filter(({ onHandDelta }) => onHandDelta > 0))
}

/** Keeps the demo's builds, those whose parts are all there. */
async function insertBuilds(tx: Queryable): Promise<void> {
  const rows = await tx.select({ name: parts.name, number: parts.number }).from(parts)
  const numberOf = new Map(rows.map(({ name, number }) => [name, number]))
  const whole = demoBuilds.filter((build) => build.parts.every((name) => numberOf.has(name)))
  const kept = whole.map(({ name, parts: names }) => ({
    name,
    parts: names.map((each) => numberOf.get(each)).join(','),
  }))
  if (kept.length > 0) await tx.insert(builds).values(kept)
}

/**
 * Seeds an empty shop with demo parts and reviews, all or nothing.
 * @param drawn the parts that share drawings
 * @returns false when the shop already has parts
 */
export async function seedDemo(db: Database, drawn = drawnParts()): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`)
    const existingParts = await tx.select({ _id: parts._id }).from(parts).limit(1)
    if (existingParts.length > 0) return false
    const pictured = picturedParts.map(({ drawing, alt: _, ...part }) => ({
      ...part,
      image: drawingAddress(drawing),
    }))
    await insertParts(tx, [...pictured, ...drawn])
    await insertBuilds(tx)
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
