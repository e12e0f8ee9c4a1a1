/** Notes of admins about orders and customers. */
import { and, asc, eq } from 'drizzle-orm'
import type { NewOrderNote, Note } from '#contracts/desk.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Queryable, Transaction } from '#server/database/client.ts'
import { notes } from '#server/database/schema/notes.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import { listOrdersIn, orNone, withoutDeleted } from '#server/features/orders/store.ts'
import { mailCustomer, noteMail } from '#server/mail/order-mails.ts'

/** The most notes of a checkout or a customer. */
const most = 200

type About = { checkoutId: string } | { userId: string }

const isAbout = (about: About) =>
  'userId' in about ? eq(notes.userId, about.userId) : eq(notes.checkoutId, about.checkoutId)

/**
 * Lists notes, oldest first.
 * @param reader customers see what is for them, without who wrote it
 */
export async function listNotes(
  db: Queryable,
  about: About,
  reader: 'admin' | 'customer',
): Promise<Note[]> {
  const rows = await db
    .select({
      _id: notes._id,
      at: notes.createdAt,
      text: notes.text,
      isForCustomer: notes.isForCustomer,
      by: users.email,
    })
    .from(notes)
    .innerJoin(users, eq(users._id, notes.adminId))
    .where(and(isAbout(about), reader === 'customer' ? eq(notes.isForCustomer, true) : undefined))
    .orderBy(asc(notes.createdAt), asc(notes._id))
  return rows.map(({ at, by, ...note }) => ({
    ...note,
    at: at.toISOString(),
    by: reader === 'admin' ? by : null,
  }))
}

/** @throws AppError TOO_MANY */
async function checkRoom(tx: Transaction, about: About): Promise<void> {
  if ((await tx.$count(notes, isAbout(about))) >= most)
    throw new AppError('TOO_MANY', `There are ${most} notes already. Remove one first.`)
}

type Deps = {
  db: Database
  publicUrl: string
  currency: Parameters<typeof noteMail>[2]['currency']
}

/**
 * Notes something about a checkout. Its customer gets a mail with a note that is for them.
 * @returns the note's id
 * @throws AppError NOT_FOUND, TOO_MANY
 */
export function addOrderNote(
  deps: Deps,
  caller: Caller,
  checkoutId: string,
  { text, isForCustomer }: NewOrderNote,
): Promise<string> {
  return deps.db.transaction(async (tx) => {
    const orders = found(orNone(withoutDeleted(await listOrdersIn(tx, checkoutId))), 'checkout')
    await checkRoom(tx, { checkoutId })
    const values = { checkoutId, text, isForCustomer, adminId: caller._id }
    const [row] = await tx.insert(notes).values(values).returning({ _id: notes._id })
    const { _id } = found(row, 'note')
    if (isForCustomer) await mailCustomer(tx, orders, noteMail(orders, text, deps), `note ${_id}`)
    const [{ _id: orderId }] = orders
    await logActions(tx, [{ actor: caller, action: 'note added', orderId }])
    return _id
  })
}

/** Notes something about a customer. @returns the note's id @throws AppError NOT_FOUND, TOO_MANY */
export function addCustomerNote(
  db: Database,
  caller: Caller,
  userId: string,
  text: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    const [user] = await tx.select({ _id: users._id }).from(users).where(eq(users._id, userId))
    found(user, 'user')
    await checkRoom(tx, { userId })
    const values = { userId, text, isForCustomer: false, adminId: caller._id }
    const [row] = await tx.insert(notes).values(values).returning({ _id: notes._id })
    await logActions(tx, [{ actor: caller, action: 'note added', userId }])
    return found(row, 'note')._id
  })
}

/** Removes a note. @returns whether there was one */
export function removeNote(db: Database, caller: Caller, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [note] = await tx.delete(notes).where(eq(notes._id, id)).returning()
    if (!note) return false
    const [order] = note.checkoutId ? await listOrdersIn(tx, note.checkoutId) : []
    const about = order ? { orderId: order._id } : { userId: note.userId ?? caller._id }
    await logActions(tx, [{ actor: caller, action: 'note removed', ...about }])
    return true
  })
}
