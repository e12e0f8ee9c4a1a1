import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { basketIn, basketText } from '#contracts/basket.ts'
import { type Build, maxBuilds, type NewBuild } from '#contracts/builds.ts'
import { sumOf, totalPriceOf } from '#contracts/money.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { builds } from '#server/database/schema/builds.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'

/** Whose builds: a user's by id, or null for the shop's. */
type Owner = string | null

const of = (owner: Owner) => (owner === null ? isNull(builds.userId) : eq(builds.userId, owner))

/** Lists builds, the oldest first, and of one moment by name, with what of them could be booked now. */
export async function listBuilds(db: Queryable, owner: Owner): Promise<Build[]> {
  const rows = await db
    .select({ _id: builds._id, name: builds.name, parts: builds.parts })
    .from(builds)
    .where(of(owner))
    .orderBy(asc(builds.createdAt), asc(builds.name))
  const numbers = rows.flatMap((row) => basketIn(row.parts).map(({ number }) => number))
  const those = await db
    .select({
      ...{ number: parts.number, name: parts.name, price: parts.price },
      isOnSale: sql<boolean>`${isOnSale}`,
      available: sql<number>`${parts.onHand} - ${parts.reserved}`,
    })
    .from(parts)
    // drafts are private, even deleted ones
    .where(
      sql`${parts.state} = 'on sale' and ${parts.number} = any(${sql.param([...new Set(numbers)])}::int[])`,
    )
  const byNumber = new Map(those.map((part) => [part.number, part]))
  return rows.map((row) => {
    const lines = basketIn(row.parts).map((each) => ({ ...each, part: byNumber.get(each.number) }))
    const sold = lines.flatMap(({ part, quantity }) =>
      part?.isOnSale ? [{ part, quantity, isIn: part.available >= quantity }] : [],
    )
    return {
      ...row,
      total: sumOf(
        sold.flatMap(({ part, quantity, isIn }) =>
          isIn ? [totalPriceOf(quantity, part.price)] : [],
        ),
      ),
      gone: lines.flatMap(({ part, number }) =>
        part?.isOnSale ? [] : [part?.name ?? `Part ${number}`],
      ),
      soldOut: sold.flatMap(({ part, isIn }) => (isIn ? [] : [part.name])),
    }
  })
}

/**
 * Keeps a build by its name, in the place of one of that name.
 * @param isShops whether it is one that the shop offers, and not the caller's own
 * @throws AppError INVALID for text without a part, TOO_MANY above `maxBuilds`
 */
export function keepBuild(
  db: Database,
  caller: Caller,
  { name, parts }: NewBuild,
  isShops = false,
): Promise<string> {
  const text = basketText(basketIn(parts))
  if (text === '')
    throw new AppError('INVALID', 'Choose a part first', { parts: 'Choose a part first' })
  const owner = isShops ? null : caller._id
  return db.transaction(async (tx) => {
    // one at a time, so that two cannot both be the last
    if (isShops) await tx.execute(sql`select pg_advisory_xact_lock(hashtext('builds'))`)
    else
      await tx.select({ _id: users._id }).from(users).where(eq(users._id, caller._id)).for('update')
    const [kept] = await tx
      .insert(builds)
      .values({ userId: owner, name, parts: text })
      .onConflictDoUpdate({ target: [builds.userId, builds.name], set: { parts: text } })
      .returning({ _id: builds._id })
    if ((await tx.$count(builds, of(owner))) > maxBuilds)
      throw new AppError('TOO_MANY', `At most ${maxBuilds} builds are kept. Remove one first.`)
    if (isShops)
      await logActions(tx, [
        { actor: caller, userId: caller._id, action: 'build offered', detail: { name } },
      ])
    return kept?._id ?? ''
  })
}

/**
 * Removes a build.
 * @param isShops whether it is one that the shop offers, and not the caller's own
 * @throws AppError NOT_FOUND
 */
export function removeBuild(
  db: Database,
  caller: Caller,
  _id: string,
  isShops = false,
): Promise<void> {
  const owner = isShops ? null : caller._id
  return db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(builds)
      .where(and(of(owner), eq(builds._id, _id)))
      .returning({ name: builds.name })
    const { name } = found(removed, 'build')
    if (isShops)
      await logActions(tx, [
        { actor: caller, userId: caller._id, action: 'build withdrawn', detail: { name } },
      ])
  })
}
