import { eq, sql } from 'drizzle-orm'
import type { PartMove } from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { AppError, found } from '#server/errors.ts'
import { lockAdminPart } from './admin-store.ts'

/**
 * An advisory lock that serializes moves: two moves to the same place would give both parts the
 * same position.
 */
const moveLock = 20_261_122

/**
 * SQL to find a position beside a part: the outermost part, the neighbour on that side, and a
 * position beyond all parts.
 */
const positionOf = (to: PartMove) =>
  'before' in to
    ? {
        beside: to.before,
        outermost: sql`min(position)`,
        neighbour: sql`(select max(position) from ${parts} where position < p.position`,
        beyond: sql`p.position - 1`,
      }
    : {
        beside: to.after,
        outermost: sql`max(position)`,
        neighbour: sql`(select min(position) from ${parts} where position > p.position`,
        // the position that the next added part would get
        beyond: sql`nextval('part_positions')`,
      }

/**
 * Moves a part in the owner's order, which the home page and lists use.
 * @returns the move that undoes this one
 * @throws AppError NOT_FOUND, and INVALID for a move beside itself
 */
export function movePart(
  db: Database,
  caller: Caller,
  id: string,
  to: PartMove,
): Promise<PartMove> {
  const { beside, outermost, neighbour, beyond } = positionOf(to)
  if (beside === id) throw new AppError('INVALID', 'A part cannot be placed next to itself')
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${moveLock})`)
    found(await lockAdminPart(tx, id), 'part')
    const { rows } = await tx.execute<{
      position: string
      name: string | null
      next: string | null
    }>(sql`
      with place as (
        select position, name from ${parts} where _id = ${beside}
        union all select ${outermost}, null from ${parts} having ${beside}::uuid is null)
      select coalesce((p.position + ${neighbour} and _id <> ${id})) * 0.5, ${beyond}) as position, name,
        (select _id from ${parts} where position > (select position from ${parts} where _id = ${id})
          order by position limit 1) as next
      from place p`)
    const { position, name, next } = found(rows[0], 'part')
    await tx
      .update(parts)
      .set({ position: sql`${position}::numeric` })
      .where(eq(parts._id, id))
    const detail = 'before' in to ? { before: name } : { after: name }
    await logActions(tx, [{ actor: caller, action: 'part moved', partId: id, detail }])
    return next === null ? { after: null } : { before: next }
  })
}
