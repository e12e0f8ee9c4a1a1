import { and, asc, count, desc, eq, ne, sql } from 'drizzle-orm'
import type { Address, AddressEdit, KeptAddress } from '#contracts/addresses.ts'
import { maxAddresses } from '#contracts/stored-address.ts'
import {
  type Database,
  type Queryable,
  refusedBy,
  type Transaction,
} from '#server/database/client.ts'
import { addresses } from '#server/database/schema/shipping.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import { checkAddress } from './check-address.ts'

/** Lists the addresses that an account keeps, the default first. */
export const listAddresses = (db: Queryable, userId: string): Promise<KeptAddress[]> =>
  db
    .select({ _id: addresses._id, address: addresses.address, isDefault: addresses.isDefault })
    .from(addresses)
    .where(eq(addresses.userId, userId))
    .orderBy(desc(addresses.isDefault), asc(addresses.createdAt), asc(addresses._id))

/** Locks the account, so that it has one default and no more than `maxAddresses`. */
const lockUser = (tx: Transaction, userId: string) =>
  tx.select({ _id: users._id }).from(users).where(eq(users._id, userId)).for('no key update')

const clearDefault = (tx: Transaction, userId: string, but: string) =>
  tx
    .update(addresses)
    .set({ isDefault: false })
    .where(and(eq(addresses.userId, userId), eq(addresses.isDefault, true), ne(addresses._id, but)))

/** Makes the oldest address the default one when there is none. */
const keepDefault = (tx: Transaction, userId: string) =>
  tx.execute(sql`
    update ${addresses} set is_default = true where _id = (
      select _id from ${addresses} a where a.user_id = ${userId} order by created_at, _id limit 1)
    and not exists (select from ${addresses} a where a.user_id = ${userId} and a.is_default)`)

/**
 * Keeps an address for an account; the first one is the default. One that it has already stays.
 * @returns its id
 * @throws AppError INVALID beyond `maxAddresses`
 */
export async function keepAddress(
  tx: Transaction,
  userId: string,
  { address, isDefault }: AddressEdit,
): Promise<string> {
  await lockUser(tx, userId)
  const [kept] = await tx
    .select({ _id: addresses._id })
    .from(addresses)
    .where(and(eq(addresses.userId, userId), eq(addresses.address, address)))
  const [all] = await tx.select({ n: count() }).from(addresses).where(eq(addresses.userId, userId))
  if (!kept && (all?.n ?? 0) >= maxAddresses)
    throw new AppError('INVALID', `You can keep ${maxAddresses} addresses. Delete one first.`)
  const [added] = kept
    ? [kept]
    : await tx
        .insert(addresses)
        .values({ userId, address, isDefault: false })
        .returning({ _id: addresses._id })
  const { _id } = found(added, 'address')
  if (isDefault) await makeDefault(tx, userId, _id)
  else await keepDefault(tx, userId)
  return _id
}

async function makeDefault(tx: Transaction, userId: string, id: string): Promise<void> {
  await clearDefault(tx, userId, id)
  await tx.update(addresses).set({ isDefault: true }).where(eq(addresses._id, id))
}

/** Adds an address to an account. @throws AppError INVALID */
export function addAddress(db: Database, userId: string, edit: AddressEdit): Promise<string> {
  checkAddress(edit.address, 'address')
  return db.transaction((tx) => keepAddress(tx, userId, edit))
}

/** Changes an address of an account. @throws AppError NOT_FOUND, INVALID */
export function changeAddress(
  db: Database,
  userId: string,
  id: string,
  { address, isDefault }: AddressEdit,
): Promise<number> {
  checkAddress(address, 'address')
  const own = and(eq(addresses._id, id), eq(addresses.userId, userId))
  return db
    .transaction(async (tx) => {
      await lockUser(tx, userId)
      const { rowCount } = await tx.update(addresses).set({ address }).where(own)
      found(rowCount === 1 ? true : null, 'address')
      if (isDefault) await makeDefault(tx, userId, id)
      return 1
    })
    .catch((error) => {
      if (refusedBy(error) !== 'addresses_of_user') throw error
      throw new AppError('INVALID', 'You keep this address already')
    })
}

/** Corrects a kept address as that of an order was corrected; one that is kept already stays. */
export async function correctKept(
  tx: Transaction,
  userId: string,
  { from, to }: { from: Address; to: Address },
): Promise<void> {
  const isKept = sql`exists (select from ${addresses} a where a.user_id = ${userId} and a.address = ${JSON.stringify(to)}::jsonb)`
  await tx
    .update(addresses)
    .set({ address: to })
    .where(and(eq(addresses.userId, userId), eq(addresses.address, from), sql`not ${isKept}`))
}

/** Deletes an address of an account. @returns 0 when it was deleted before */
export function deleteAddress(db: Database, userId: string, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const { rowCount } = await tx
      .delete(addresses)
      .where(and(eq(addresses._id, id), eq(addresses.userId, userId)))
    await keepDefault(tx, userId)
    return rowCount ?? 0
  })
}
