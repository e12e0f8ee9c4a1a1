import { asc, eq } from 'drizzle-orm'
import type { KindMove } from '#contracts/kind-edits.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { inBulk } from '#server/database/bulk-changes.ts'
import type { Database } from '#server/database/client.ts'
import { kinds } from '#server/database/schema/kinds.ts'
import { AppError, found } from '#server/errors.ts'

/**
 * Moves a kind in the order that visitors see.
 * @throws AppError NOT_FOUND, or INVALID for a move beside itself
 */
export function moveKind(db: Database, caller: Caller, slug: string, to: KindMove): Promise<void> {
  const [side, beside] =
    'before' in to ? (['before', to.before] as const) : (['after', to.after] as const)
  if (beside === slug) throw new AppError('INVALID', 'A category can’t be placed next to itself')
  return inBulk(db, async (tx) => {
    const { slug: is, name, position } = kinds
    const all = await tx
      .select({ slug: is, name, position })
      .from(kinds)
      .orderBy(asc(position), asc(is))
      .for('no key update')
    const kind = found(
      all.find((each) => each.slug === slug),
      'kind',
    )
    const others = all.filter((each) => each !== kind)
    const other =
      beside === null
        ? undefined
        : found(
            others.find((each) => each.slug === beside),
            'kind',
          )
    const at = other
      ? others.indexOf(other) + Number(side === 'after')
      : side === 'before'
        ? 0
        : others.length
    // reuses the same positions in another order, so that a kind added later still comes last
    for (const [i, moved] of others.toSpliced(at, 0, kind).entries()) {
      const place = all[i]?.position ?? moved.position
      if (place !== moved.position)
        await tx.update(kinds).set({ position: place }).where(eq(is, moved.slug))
    }
    const place = other ? `${side} ${other.name}` : side === 'before' ? 'first' : 'last'
    const detail = { kind: kind.name, changes: [`Stands ${place}`] }
    await logActions(tx, [{ actor: caller, userId: caller._id, action: 'kind changed', detail }])
  })
}
