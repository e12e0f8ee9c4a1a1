import type { Caller, Role } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { AppError, found } from '#server/errors.ts'
import { lockByEmail, setRole } from './store.ts'

/** A role that admins give and take. */
type GivenRole = Exclude<Role, 'customer'>
type Change = { caller: Caller; email: string; role: GivenRole }

const actions = {
  admin: { given: 'admin made', taken: 'admin rights removed' },
  packer: { given: 'packer made', taken: 'packer rights removed' },
} as const

/** Locks the users with this address. @throws AppError NOT_FOUND when no user has it */
async function lockUsers(tx: Transaction, email: string) {
  const users = await lockByEmail(tx, email)
  found(users[0], 'user')
  return users
}

async function change(
  tx: Transaction,
  { caller, email }: Change,
  ids: string[],
  to: Role,
  action: (typeof actions)[GivenRole]['given' | 'taken'],
): Promise<number> {
  await setRole(tx, ids, to)
  await logActions(
    tx,
    ids.map((userId) => ({ actor: caller, action, userId, detail: { email } })),
  )
  return ids.length
}

/**
 * Gives the users with an address a role.
 * @returns the number of changed users; 0 when they already had it
 * @throws AppError NOT_FOUND, NOT_VERIFIED for an unverified address, or INVALID for an admin who
 *   would become a packer
 */
export function giveRole(db: Database, wanted: Change): Promise<number> {
  const { email, role } = wanted
  return db.transaction(async (tx) => {
    const users = (await lockUsers(tx, email)).filter((user) => user.emailVerified)
    if (users.length === 0) {
      throw new AppError(
        'NOT_VERIFIED',
        'This email address isn’t confirmed yet. Its owner must open the link in our email first.',
      )
    }
    if (role === 'packer' && users.some((user) => user.role === 'admin'))
      throw new AppError('INVALID', 'This user is an admin. Remove the admin rights first.')
    const ids = users.filter((user) => user.role !== role).map(({ _id }) => _id)
    return change(tx, wanted, ids, role, actions[role].given)
  })
}

/**
 * Takes a role from the users with an address, effective at their next request.
 * @returns the number of changed users; 0 when they did not have it
 * @throws AppError NOT_FOUND, or LAST_ADMIN when no admin would be left
 */
export async function takeRole(db: Database, unwanted: Change): Promise<number> {
  const { email, role } = unwanted
  const removal = db.transaction(async (tx) => {
    const users = await lockUsers(tx, email)
    const ids = users.filter((user) => user.role === role).map(({ _id }) => _id)
    return change(tx, unwanted, ids, 'customer', actions[role].taken)
  })
  return removal.catch((error) => {
    if (refusedBy(error) !== 'users_last_admin') throw error
    throw new AppError(
      'LAST_ADMIN',
      'This is the last admin. Make another user an admin first, then remove these rights.',
    )
  })
}
