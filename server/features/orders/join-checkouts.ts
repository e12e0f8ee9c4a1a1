import { eq, inArray } from 'drizzle-orm'
import { maxLines } from '#contracts/basket.ts'
import { sumOfTotals, totalPriceProblem } from '#contracts/money.ts'
import type { Caller } from '#contracts/users.ts'
import type { Transaction } from '#server/database/client.ts'
import { checkouts } from '#server/database/schema/checkouts.ts'
import { orders } from '#server/database/schema/orders.ts'
import { payments } from '#server/database/schema/payments.ts'
import { AppError, found } from '#server/errors.ts'
import {
  closePayment,
  paymentInProgress,
  type SettleDeps,
} from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { priceCheckout } from '#server/features/shipping/price-checkout.ts'
import { findOrder, isUnpaid, lockCheckouts, notDeletedOrder, type OrderRow } from './store.ts'

/** Checks that these orders are the caller's, and unpaid. @throws AppError NOT_FOUND, ALREADY_PAID */
function checkOwn(all: OrderRow[], caller: Caller, ids: string[]): void {
  for (const id of ids) {
    const order = notDeletedOrder(
      all.find(({ _id, userId }) => _id === id && userId === caller._id),
    )
    if (!isUnpaid(order)) throw new AppError('ALREADY_PAID', 'One of these orders is paid already')
  }
}

/** How often to close a payment that the page just left may still open. */
const maxTries = 3

/**
 * Joins the checkouts of unpaid orders into one, which one payment pays. Closes their open payments
 * first. Earlier payments move to the joined checkout: if their money arrives late, it is compared
 * with the total that is due then.
 * @returns the checkout's id
 * @throws AppError NOT_FOUND, ALREADY_PAID, PAYMENT_IN_PROGRESS, INVALID beyond `maxLines` or what
 *   a card can pay
 */
export async function joinCheckouts(
  deps: SettleDeps,
  caller: Caller,
  ids: string[],
): Promise<string> {
  const stored: OrderRow[] = []
  for (const id of ids) stored.push(found(await findOrder(deps.db, id), 'order'))
  checkOwn(stored, caller, ids)
  const checkoutIds = [...new Set(stored.map(({ checkoutId }) => checkoutId))].sort()
  const [into, ...others] = checkoutIds
  if (into === undefined || others.length === 0) return found(into, 'order')
  for (let tries = 1; tries <= maxTries; tries += 1) {
    for (const checkoutId of checkoutIds) {
      if (!(await closePayment(deps, checkoutId))) throw paymentInProgress()
    }
    if (await joinUnlessOpen(deps, caller, ids, checkoutIds)) return into
  }
  throw paymentInProgress()
}

/** The joined checkout keeps its method and address or, without any, has those of another. */
async function takeShipping(tx: Transaction, all: OrderRow[], into: string): Promise<void> {
  const chosen = all.filter(({ shipping }) => shipping.method)
  const [other] = chosen
  if (!other || chosen.some(({ checkoutId }) => checkoutId === into)) return
  const { methodId, method: methodName, type: methodType, ...rest } = other.shipping
  const { daysFrom, daysTo, shipTo, billTo, taxNumber, price } = rest
  const chose = { methodId, methodName, methodType, daysFrom, daysTo, shipTo, billTo, taxNumber }
  await tx
    .update(checkouts)
    .set({ ...chose, shipping: price })
    .where(eq(checkouts._id, into))
}

/** @returns false when a payment was opened since the last ones were closed */
function joinUnlessOpen(
  deps: SettleDeps,
  caller: Caller,
  ids: string[],
  checkoutIds: string[],
): Promise<boolean> {
  const [into, ...others] = checkoutIds
  return deps.db.transaction(async (tx) => {
    const all = await lockCheckouts(tx, checkoutIds)
    checkOwn(all, caller, ids)
    for (const checkoutId of checkoutIds) {
      if (await findOpenPayment(tx, checkoutId)) return false
    }
    const unpaid = all.filter(isUnpaid)
    const refuse = (why: string) => new AppError('INVALID', why, { orderIds: why })
    if (unpaid.length > maxLines) throw refuse(`${maxLines} orders are the most of one payment`)
    const sum = sumOfTotals(unpaid)
    const problem = totalPriceProblem(sum, deps.currency)
    if (problem) throw refuse(problem)
    await tx.update(payments).set({ checkoutId: into }).where(inArray(payments.checkoutId, others))
    await takeShipping(tx, all, found(into, 'checkout'))
    await tx.update(orders).set({ checkoutId: into }).where(inArray(orders.checkoutId, others))
    await priceCheckout(tx, found(into, 'checkout'))
    return true
  })
}
