import type { AccountDeletion } from '#contracts/account.ts'
import { type Caller, isAdmin } from '#contracts/users.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Queryable, refusedBy, type Transaction } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { noteAbandoned } from '#server/features/orders/abandoned-holds.ts'
import { type DeleteOrderDeps, deleteOrder } from '#server/features/orders/delete-order.ts'
import {
  anonymizeAccount,
  isOpen,
  lockAccount,
  offersTo,
  otherAdmins,
  refundUnderWay,
  unfinishedOrders,
} from './account-store.ts'
import { identityOf } from './store.ts'

export type DeleteDeps = DeleteOrderDeps & { identity: Identity }

const inUse = (why: string) => new AppError('ACCOUNT_IN_USE', why)
const lastAdmin = () =>
  new AppError(
    'LAST_ADMIN',
    'You are the last admin. Make another user an admin first, then delete your account.',
  )

/**
 * Checks that the account still exists.
 * @throws AppError UNAUTHENTICATED when it was deleted meanwhile
 */
async function checkNothingOpen(db: Queryable, caller: Caller): Promise<void> {
  if (!(await isOpen(db, caller._id)))
    throw new AppError('UNAUTHENTICATED', 'This account was deleted')
}

/**
 * Checks the caller's password or, for an account without one, the address.
 * @throws AppError INVALID
 */
async function checkDeletion(
  { db, identity, inTurn }: DeleteDeps,
  caller: Caller,
  deletion: AccountDeletion,
) {
  const account = await identityOf(db, caller._id)
  if (!(await identity.hasPassword(account))) {
    // an account that was deleted meanwhile has no password either
    await checkNothingOpen(db, caller)
    if (deletion.email === caller.email) return
    const why = 'Enter your account’s email address'
    throw new AppError('INVALID', why, { email: why })
  }
  const { password } = deletion
  if (password && (await inTurn(() => identity.isPassword(account, password)))) return
  await checkNothingOpen(db, caller)
  const why = password ? 'That’s not your password' : 'Enter your password'
  throw new AppError('INVALID', why, { password: why })
}

/**
 * Checks that no order or refund is in progress.
 * @returns the ids of unpaid orders
 * @throws AppError ACCOUNT_IN_USE
 */
async function checkFinished(db: Queryable, caller: Caller): Promise<string[]> {
  const open = await unfinishedOrders(db, caller._id)
  if (open.some(({ status }) => status === 'paid')) {
    throw inUse(
      'You have a paid order that hasn’t been shipped yet. You can delete your account once it’s on its way.',
    )
  }
  if (await refundUnderWay(db, caller._id)) {
    throw inUse('You have a refund on its way. You can delete your account once it arrives.')
  }
  if (isAdmin(caller) && !(await otherAdmins(db, caller._id))) throw lastAdmin()
  return open.map(({ _id }) => _id)
}

/**
 * Deletes an unpaid order if it still exists.
 * @throws AppError ACCOUNT_IN_USE while it is being paid
 */
async function dropOrder(deps: DeleteDeps, caller: Caller, id: string): Promise<void> {
  await deleteOrder(deps, caller, id).catch(async (error) => {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'NOT_FOUND') return
    if (error.code !== 'ALREADY_PAID' && error.code !== 'PAYMENT_IN_PROGRESS') throw error
    await checkFinished(deps.db, caller)
    throw inUse('One of your orders is being paid right now. Try again once that’s done.')
  })
}

/**
 * Deletes the caller's account: first unpaid orders, which releases their stock; then, in one
 * transaction, all personal data. Other orders stay anonymised for bookkeeping, and reviews stay
 * under "A former customer".
 * @throws AppError INVALID without the password or address, ACCOUNT_IN_USE, LAST_ADMIN
 */
export async function deleteAccount(
  deps: DeleteDeps,
  caller: Caller,
  deletion: AccountDeletion,
): Promise<void> {
  await checkDeletion(deps, caller, deletion)
  const account = await identityOf(deps.db, caller._id)
  const removeElsewhere = await deps.identity.removal?.(account, deletion.idToken ?? '')
  for (const id of await checkFinished(deps.db, caller)) await dropOrder(deps, caller, id)
  const close = async (tx: Transaction) => {
    await lockAccount(tx, caller._id)
    await checkNothingOpen(tx, caller)
    const left = await checkFinished(tx, caller)
    if (left.length > 0) throw inUse('An order was booked in the meantime. Try again.')
    if (isAdmin(caller)) {
      const detail = { reason: 'account deleted' }
      const action = { actor: caller, userId: caller._id, detail }
      await logActions(tx, [{ ...action, action: 'admin rights removed' }])
    }
    await noteAbandoned(tx, deps, await offersTo(tx, caller._id), 'offer left')
    await anonymizeAccount(tx, caller._id, caller.email)
  }
  await deps
    .inTurn(() => deps.db.transaction(close))
    .catch((error) => {
      if (refusedBy(error) === 'users_last_admin') throw lastAdmin()
      throw error
    })
  await removeElsewhere?.()
}
