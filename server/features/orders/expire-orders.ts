import { and, asc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { logActions } from '#server/database/audit-log.ts'
import type { Queryable } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { closePayment, type SettleDeps } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { endAnnouncedMail, mailCustomer } from '#server/mail/order-mails.ts'
import { findOrder, lockOrder } from './store.ts'

export type ExpireDeps = SettleDeps & {
  /** Days after which an unpaid order is deleted. */
  expireDays: number
}

const maxPerRun = 100
const dayMs = 86_400_000
/** Days between the mail to the customer and the deletion. */
const noticeDays = (expireDays: number) => Math.min(1, expireDays / 2)

const daysAgo = (days: number) => sql`now() - make_interval(secs => ${days * 86_400})`

/** Unpaid orders that will soon be deleted and whose customers have no mail about it yet. */
const endingSoon = (expireDays: number) =>
  and(
    eq(orders.status, 'unpaid'),
    isNull(orders.endAnnouncedAt),
    lt(orders.createdAt, daysAgo(expireDays - noticeDays(expireDays))),
  )

/**
 * Unpaid orders that are old enough and whose customers were mailed early enough. An order with a
 * hold stays until the hold has ended.
 */
const endingNow = (expireDays: number) =>
  and(
    eq(orders.status, 'unpaid'),
    isNull(orders.holdExpiresAt),
    lt(orders.createdAt, daysAgo(expireDays)),
    lt(orders.endAnnouncedAt, daysAgo(noticeDays(expireDays))),
  )

async function findOldest({ db }: ExpireDeps, which: SQL | undefined): Promise<string[]> {
  const rows = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(which)
    .orderBy(asc(orders.createdAt))
    .limit(maxPerRun)
  return rows.map(({ _id }) => _id)
}

/** Runs `work` for the oldest of these orders. One order's failure does not stop the others. */
async function forEach(
  deps: ExpireDeps,
  which: SQL | undefined,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  for (const id of await findOldest(deps, which)) {
    await work(id).catch((error) =>
      deps.log.error({ err: error, orderId: id }, 'order_not_expired'),
    )
  }
}

function announceEnd(deps: ExpireDeps, id: string): Promise<void> {
  const { expireDays } = deps
  return deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order || (await tx.$count(orders, and(eq(orders._id, id), endingSoon(expireDays)))) === 0)
      return
    const endsAt = Math.max(
      order.createdAt.getTime() + expireDays * dayMs,
      Date.now() + noticeDays(expireDays) * dayMs,
    )
    const mail = endAnnouncedMail(order, new Date(endsAt), deps)
    await mailCustomer(tx, order, mail, `ending ${id}`)
    await tx.update(orders).set({ endAnnouncedAt: sql`now()` }).where(eq(orders._id, id))
  })
}

async function endOrder(deps: ExpireDeps, id: string): Promise<void> {
  const isDue = async (db: Queryable) =>
    (await db.$count(orders, and(eq(orders._id, id), endingNow(deps.expireDays)))) > 0
  const order = await findOrder(deps.db, id)
  // if the customer began to pay after the job found the order, the open payment must stay open
  if (!order || !(await isDue(deps.db)) || !(await closePayment(deps, order.checkoutId))) return
  await deps.db.transaction(async (tx) => {
    await lockOrder(tx, id)
    if (!(await isDue(tx)) || (await findOpenPayment(tx, order.checkoutId))) return
    await tx
      .update(orders)
      .set({ status: 'deleted', deletedAt: sql`now()` })
      .where(eq(orders._id, id))
    const detail = { by: 'the shop', days: deps.expireDays }
    await logActions(tx, [{ actor: null, action: 'order expired', orderId: id, detail }])
  })
}

/**
 * Deletes orders that stay unpaid for `expireDays`, after one mail. Otherwise unpaid orders would
 * stay in the shop forever.
 */
export async function expireOrders(deps: ExpireDeps): Promise<void> {
  await forEach(deps, endingSoon(deps.expireDays), (id) => announceEnd(deps, id))
  await forEach(deps, endingNow(deps.expireDays), (id) => endOrder(deps, id))
}
