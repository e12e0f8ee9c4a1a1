import { eq, sql } from 'drizzle-orm'
import type { PartMove } from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { AppError, found } from '#server/errors.ts'
import { lockAdminPart } from './admin-store.ts'

/** An advisory lock that makes moves wait for each other: two to the same place would give both parts one position. */
const moveLock = 20_261_122

/**
 * Moves a part in the owner's order, in which home and lists show parts.
 * @param before the part that it shall stand before; null for the first place
 * @throws AppError NOT_FOUND, and INVALID for a place before itself
 */
export async function movePart(
  db: Database,
  caller: Caller,
  id: string,
  { before }: PartMove,
): Promise<void> {
  if (before === id) throw new AppError('INVALID', 'A part can not stand before itself')
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${moveLock})`)
    found(await lockAdminPart(tx, id), 'part')
    const { rows } = await tx.execute<{ position: string; name: string | null }>(sql`
      with place as (
        select position, name from ${parts} where _id = ${before}
        union all select min(position), null from ${parts} having ${before}::uuid is null)
      select coalesce((p.position + (select max(position) from ${parts} where position < p.position and _id <> ${id})) * 0.5,
        p.position - 1) as position, name from place p`)
    const { position, name } = found(rows[0], 'part')
    await tx
      .update(parts)
      .set({ position: sql`${position}::numeric` })
      .where(eq(parts._id, id))
    const action = { actor: caller, action: 'part moved', partId: id } as const
    await logActions(tx, [{ ...action, detail: { before: name } }])
  })
}
