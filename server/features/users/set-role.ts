import type { Caller, Role } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { AppError, found } from '#server/errors.ts'
import { lockByEmail, setRole } from './store.ts'

type Change = { caller: Caller; email: string }

/**
 * Locks the users with this address. `changing` are those with another role.
 * @throws AppError NOT_FOUND when no user has the address
 */
async function others(tx: Transaction, email: string, role: Role) {
  const users = await lockByEmail(tx, email)
  found(users[0], 'user')
  return { users, changing: users.filter((user) => user.role !== role) }
}

/**
 * Grants admin rights to the users with an address.
 * @returns the number of changed users; 0 when they already had admin rights
 * @throws AppError NOT_FOUND, or NOT_VERIFIED for an unverified address
 */
export function giveRights(db: Database, { caller, email }: Change): Promise<number> {
  return db.transaction(async (tx) => {
    const { users, changing } = await others(tx, email, 'admin')
    if (!users.some((user) => user.emailVerified)) {
      throw new AppError(
        'NOT_VERIFIED',
        'This e-mail address is not confirmed yet. Its owner must follow the link in our mail first.',
      )
    }
    const ids = changing.filter((user) => user.emailVerified).map(({ _id }) => _id)
    await setRole(tx, ids, 'admin')
    const action = { actor: caller, action: 'admin made', detail: { email } } as const
    await logActions(
      tx,
      ids.map((userId) => ({ ...action, userId })),
    )
    return ids.length
  })
}

/**
 * Removes admin rights from the users with an address, effective at their next request.
 * @returns the number of changed users; 0 when they had no admin rights
 * @throws AppError NOT_FOUND, or LAST_ADMIN when no admin would be left
 */
export async function takeRights(db: Database, { caller, email }: Change): Promise<number> {
  const removal = db.transaction(async (tx) => {
    const ids = (await others(tx, email, 'customer')).changing.map(({ _id }) => _id)
    await setRole(tx, ids, 'customer')
    const action = {
      actor: caller,
      action: 'admin rights removed',
      detail: { email },
    } as const
    await logActions(
      tx,
      ids.map((userId) => ({ ...action, userId })),
    )
    return ids.length
  })
  return removal.catch((error) => {
    if (refusedBy(error) !== 'users_last_admin') throw error
    throw new AppError(
      'LAST_ADMIN',
      'This is the last admin. Make another user an admin first, then remove these rights.',
    )
  })
}
