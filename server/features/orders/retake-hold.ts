import { eq, inArray, sql } from 'drizzle-orm'
import {
  type Currency,
  sumOf,
  sumOfTotals,
  totalPriceOf,
  totalPriceProblem,
} from '#contracts/money.ts'
import { quantityProblem } from '#contracts/orders.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { paymentInProgress } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { allowHolds, type LineRequest } from './hold-rules.ts'
import { holderLockSql, readHoldState } from './hold-state.ts'
import { type HoldRules, holdTimesFor } from './hold-times.ts'
import { forLines } from './lines.ts'
import { holdStock, stockGone } from './stock-movements.ts'
import { byPart, lockPartsOnSale, type OrderRow, type PartOnSale } from './store.ts'

/**
 * The customer who holds units. `networks` are hashes of the request's networks, the narrowest
 * first.
 */
export type Holder = { userId: string; networks: string[] }

/**
 * Takes the locks of `holderLockSql`.
 * @param cost in cents, of what is to be held
 * @returns whether the customer's address is verified
 */
export async function lockHolder(
  tx: Transaction,
  { userId, networks }: Holder,
  cost = sql`0`,
): Promise<{ verified: boolean }> {
  const { rows } = await tx.execute<{ verified: boolean }>(
    holderLockSql(sql`${userId}`, sql`${sql.param(networks)}`, cost),
  )
  return found(rows[0], 'user')
}

const termsChanged = (why: string) =>
  new AppError('TERMS_CHANGED', `${why} Delete this order and book again.`)

/** @throws AppError TERMS_CHANGED for a sum that no card can pay */
export function checkPayable(sum: number, currency: Currency): void {
  const problem = totalPriceProblem(sum, currency)
  if (problem) throw termsChanged(`${problem}.`)
}

/**
 * The units that an order needs, and today's price of its part.
 * @throws AppError STOCK_GONE or TERMS_CHANGED
 */
function termsOf(order: OrderRow, part: PartOnSale | undefined) {
  const { quantity } = order
  if (!part) throw stockGone()
  if (quantity < part.minimumOrderQuantity) {
    throw termsChanged(`The minimum order of this part is now ${part.minimumOrderQuantity}.`)
  }
  if (quantityProblem(quantity, part)) throw stockGone()
  return { order, part, totalPrice: totalPriceOf(quantity, part.price) }
}

/** Sets today's price. The database refuses it while an open payment asks for the old one. */
async function setPrice(tx: Transaction, order: OrderRow, price: number): Promise<void> {
  await tx
    .update(orders)
    .set({ price, totalPrice: totalPriceOf(order.quantity, price) })
    .where(eq(orders._id, order._id))
}

/** Who holds them, as far as the rules ask. */
type Claim = Pick<Holder, 'networks'> & { verified: boolean }

/**
 * For each order, the request for its part and what the customer holds of it: two orders of a part
 * count one after the other.
 */
async function readRequests(
  tx: Transaction,
  rules: HoldRules,
  wanted: ReturnType<typeof termsOf>[],
  networks: string[],
): Promise<LineRequest[]> {
  const requests: LineRequest[] = []
  const cost = sumOfTotals(wanted)
  for (const [i, { order, part, totalPrice }] of wanted.entries()) {
    const { userId, partId, checkoutId, quantity } = order
    const state = await readHoldState(tx, rules, { userId, partId, checkoutId, networks, cost })
    const before = wanted.slice(0, i).filter((each) => each.order.partId === partId)
    const units = before.reduce((all, each) => all + each.order.quantity, 0)
    const { availableQuantity, unsold, minimumOrderQuantity } = part
    requests.push({
      field: order._id,
      state: { ...state, ofPart: state.ofPart + units },
      available: availableQuantity - units,
      unsold,
      minimumOrderQuantity,
      quantity,
      totalPrice,
      offerSeconds: null,
    })
  }
  return requests
}

/**
 * Holds the units of unpaid orders again, at today's price. The caller has locked the customer and
 * the checkout.
 * @param checkout its unpaid orders; those without a hold get a new one
 * @throws AppError STOCK_GONE, TERMS_CHANGED, PAYMENT_IN_PROGRESS, and those of `allowHolds`; nothing
 *   has changed then. A refusal of one of several orders is at the field of its id.
 */
export async function retakeHold(
  tx: Transaction,
  checkout: OrderRow[],
  rules: HoldRules & { currency: Currency },
  { verified, networks }: Claim,
): Promise<void> {
  const [first] = checkout
  if (first && (await findOpenPayment(tx, first.checkoutId))) throw paymentInProgress()
  const parts = await lockPartsOnSale(
    tx,
    checkout.filter(isNotHeld).map(({ partId }) => partId),
  )
  const named = checkout.map((order) => ({ field: order._id, order }))
  const lines = await forLines(named, ({ order }) =>
    isNotHeld(order) ? termsOf(order, parts.get(order.partId)) : null,
  )
  const wanted = lines.filter((line) => line !== null)
  const requests = await readRequests(tx, rules, wanted, networks)
  const { holdSeconds, limitSeconds } = await allowHolds(
    rules,
    { verified, lines: checkout.length },
    requests,
  )
  const sum = sumOf(lines.map((line, i) => line?.totalPrice ?? checkout[i]?.totalPrice ?? 0))
  checkPayable(sum, rules.currency)
  for (const { order, part, totalPrice } of wanted.toSorted((a, b) => byPart(a.order, b.order))) {
    if (totalPrice !== order.totalPrice) await setPrice(tx, order, part.price)
    await holdStock(tx, order)
    await tx
      .update(orders)
      .set({ holdExpiresAt: fromNow(holdSeconds), holdLimitAt: fromNow(limitSeconds), networks })
      .where(eq(orders._id, order._id))
  }
  if (wanted.length < checkout.length) await renewHolds(tx, checkout, rules)
}

const isNotHeld = ({ holdExpiresAt }: OrderRow) => holdExpiresAt === null
const fromNow = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

/**
 * Renews the holds of a locked checkout: the full time from now, but not beyond the earliest limit.
 */
export async function renewHolds(
  tx: Transaction,
  checkout: OrderRow[],
  rules: HoldRules,
): Promise<void> {
  const ids = checkout.map(({ _id }) => _id)
  const full = fromNow(holdTimesFor(sumOfTotals(checkout), rules).minutes * 60)
  const limit = sql`(select min(o.hold_limit_at) from ${orders} o where o._id in ${ids})`
  await tx
    .update(orders)
    .set({ holdExpiresAt: sql`least(${full}, ${limit})` })
    .where(inArray(orders._id, ids))
}
