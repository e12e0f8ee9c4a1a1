import { and, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { logActions } from '#server/database/audit-log.ts'
import type { Queryable } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { closePayment, type SettleDeps } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { priceCheckout } from '#server/features/shipping/price-checkout.ts'
import { endAnnouncedMail, mailCustomer } from '#server/mail/order-mails.ts'
import { lockCheckout, orNone } from './store.ts'

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

/** The checkouts of the oldest of these orders. */
async function findOldest({ db }: ExpireDeps, which: SQL | undefined): Promise<string[]> {
  const rows = await db
    .select({ checkoutId: orders.checkoutId })
    .from(orders)
    .where(which)
    .groupBy(orders.checkoutId)
    .orderBy(sql`min(${orders.createdAt})`)
    .limit(maxPerRun)
  return rows.map(({ checkoutId }) => checkoutId)
}

/** The orders of this checkout that match. */
async function findIn(db: Queryable, checkoutId: string, which: SQL | undefined) {
  const rows = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.checkoutId, checkoutId), which))
  return rows.map(({ _id }) => _id)
}

/**
 * Runs `work` for the checkouts of the oldest of these orders. One's failure does not stop the
 * others.
 */
async function forEach(
  deps: ExpireDeps,
  which: SQL | undefined,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  for (const id of await findOldest(deps, which)) {
    await work(id).catch((error) =>
      deps.log.error({ err: error, checkoutId: id }, 'order_not_expired'),
    )
  }
}

function announceEnd(deps: ExpireDeps, checkoutId: string): Promise<void> {
  const { expireDays } = deps
  return deps.db.transaction(async (tx) => {
    const checkout = await lockCheckout(tx, checkoutId)
    const ids = await findIn(tx, checkoutId, endingSoon(expireDays))
    const ending = orNone(checkout.filter(({ _id }) => ids.includes(_id)))
    if (!ending) return
    const bookedAt = Math.max(...ending.map(({ createdAt }) => createdAt.getTime()))
    const endsAt = Math.max(
      bookedAt + expireDays * dayMs,
      Date.now() + noticeDays(expireDays) * dayMs,
    )
    const mail = endAnnouncedMail(ending, new Date(endsAt), deps)
    await mailCustomer(tx, ending, mail, `ending ${ending[0]._id}`)
    await tx.update(orders).set({ endAnnouncedAt: sql`now()` }).where(inArray(orders._id, ids))
  })
}

async function endOrders(deps: ExpireDeps, checkoutId: string): Promise<void> {
  const findDue = (db: Queryable) => findIn(db, checkoutId, endingNow(deps.expireDays))
  // the customer began to pay after the job found the order: the open payment must stay open
  if ((await findDue(deps.db)).length === 0 || !(await closePayment(deps, checkoutId))) return
  await deps.db.transaction(async (tx) => {
    await lockCheckout(tx, checkoutId)
    const due = await findDue(tx)
    if (due.length === 0 || (await findOpenPayment(tx, checkoutId))) return
    await tx
      .update(orders)
      .set({ status: 'deleted', deletedAt: sql`now()` })
      .where(inArray(orders._id, due))
    await priceCheckout(tx, checkoutId)
    const detail = { by: 'the shop', days: deps.expireDays }
    await logActions(
      tx,
      due.map((orderId) => ({ actor: null, action: 'order expired', orderId, detail })),
    )
  })
}

/**
 * Deletes orders that stay unpaid for `expireDays`, after one mail. Otherwise unpaid orders would
 * stay in the shop forever.
 */
export async function expireOrders(deps: ExpireDeps): Promise<void> {
  await forEach(deps, endingSoon(deps.expireDays), (id) => announceEnd(deps, id))
  await forEach(deps, endingNow(deps.expireDays), (id) => endOrders(deps, id))
}
