import { eq, sql } from 'drizzle-orm'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { found } from '#server/errors.ts'
import { orNameTaken } from './add-part.ts'
import { lockAdminPart } from './admin-store.ts'

const setDeleted = (tx: Transaction, id: string, deletedAt: ReturnType<typeof sql> | null) =>
  tx
    .update(parts)
    .set({ deletedAt, version: sql`${parts.version} + 1` })
    .where(eq(parts._id, id))

/**
 * Deletes a part. Its row stays, so that its orders can be read, paid and shipped.
 * @returns false when it was already deleted
 * @throws AppError NOT_FOUND
 */
export function deletePart(db: Database, caller: Caller, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { name, deletedAt } = found(await lockAdminPart(tx, id), 'part')
    if (deletedAt !== null) return false
    await setDeleted(tx, id, sql`now()`)
    const action = {
      actor: caller,
      action: 'part deleted',
      partId: id,
      detail: { name },
    } as const
    await logActions(tx, [action])
    return true
  })
}

/**
 * Restores a deleted part.
 * @returns false when it was not deleted
 * @throws AppError NOT_FOUND, NAME_TAKEN when another part has taken its name meanwhile
 */
export async function restorePart(db: Database, caller: Caller, id: string): Promise<boolean> {
  const restored = db.transaction(async (tx) => {
    const { name, deletedAt } = found(await lockAdminPart(tx, id), 'part')
    if (deletedAt === null) return false
    await setDeleted(tx, id, null)
    const action = { actor: caller, action: 'part restored', partId: id } as const
    await logActions(tx, [{ ...action, detail: { name } }])
    return true
  })
  return restored.catch(orNameTaken)
}
