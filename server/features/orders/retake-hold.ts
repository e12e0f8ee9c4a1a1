import { eq, sql } from 'drizzle-orm'
import { type Currency, money, totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { quantityProblem } from '#contracts/orders.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found, PriceChanged } from '#server/errors.ts'
import { paymentInProgress } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import {
  allowHold,
  type HoldRules,
  holderLockSql,
  holdTimesFor,
  readHoldState,
} from './hold-rules.ts'
import { holdStock, stockGone } from './stock-movements.ts'
import { lockPartOnSale, type OrderRow } from './store.ts'

/**
 * The customer who holds units. `networks` are hashes of the request's networks, the narrowest
 * first.
 */
export type Holder = { userId: string; networks: string[] }

/** Takes the locks of `holderLockSql`. @returns whether the customer's address is verified */
export async function lockHolder(
  tx: Transaction,
  { userId, networks }: Holder,
): Promise<{ verified: boolean }> {
  const { rows } = await tx.execute<{ verified: boolean }>(
    holderLockSql(sql`${userId}`, sql`${sql.param(networks)}`),
  )
  return found(rows[0], 'user')
}

const termsChanged = (why: string) =>
  new AppError('TERMS_CHANGED', `${why} Delete this order and book again.`)

/** Sets the current price. The database refuses this while a payment of the old price is open. */
async function setPrice(tx: Transaction, order: OrderRow, price: number): Promise<void> {
  await tx
    .update(orders)
    .set({ price, totalPrice: totalPriceOf(order.quantity, price) })
    .where(eq(orders._id, order._id))
}

/**
 * Holds the units of an unpaid order again, at the current price. The caller has locked the
 * customer and the order.
 * @param agreed the total that the customer saw
 * @throws AppError STOCK_GONE, TERMS_CHANGED, PAYMENT_IN_PROGRESS, PRICE_CHANGED with the current
 *   total, and the errors of `allowHold`; nothing has changed then
 */
export async function retakeHold(
  tx: Transaction,
  order: OrderRow,
  rules: HoldRules & { currency: Currency },
  { verified, networks, agreed }: { verified: boolean; networks: string[]; agreed: number },
): Promise<void> {
  if (await findOpenPayment(tx, order.checkoutId)) throw paymentInProgress()
  const { quantity, partId } = order
  const part = await lockPartOnSale(tx, partId)
  if (!part) throw stockGone()
  if (quantity < part.minimumOrderQuantity) {
    throw termsChanged(`The smallest order of this part is ${part.minimumOrderQuantity} by now.`)
  }
  if (quantityProblem(quantity, part)) throw stockGone()
  const total = totalPriceOf(quantity, part.price)
  const problemOfTotal = totalPriceProblem(total, rules.currency)
  if (problemOfTotal) throw termsChanged(`${problemOfTotal}.`)
  const state = await readHoldState(tx, rules, { userId: order.userId, partId, networks })
  const { availableQuantity: available, ...stock } = part
  const holdRequest = {
    ...stock,
    verified,
    quantity,
    available,
    totalPrice: total,
    isOffered: false,
  }
  const { holdSeconds, limitSeconds } = allowHold(state, rules, holdRequest)
  if (total !== agreed) {
    throw new PriceChanged(
      `Nothing was held for you any more, and the price has changed: this order is ${money(total, rules.currency)} now.`,
      total,
    )
  }
  if (total !== order.totalPrice) await setPrice(tx, order, part.price)
  await holdStock(tx, order)
  const fromNow = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`
  await tx
    .update(orders)
    .set({
      holdExpiresAt: fromNow(holdSeconds),
      holdLimitAt: fromNow(limitSeconds),
      networks,
    })
    .where(eq(orders._id, order._id))
}

/** Renews the hold of a locked order: the full time from now, but not past its limit. */
export async function renewHold(
  tx: Transaction,
  { _id, totalPrice }: Pick<OrderRow, '_id' | 'totalPrice'>,
  rules: HoldRules,
): Promise<void> {
  const full = sql`now() + make_interval(secs => ${holdTimesFor(totalPrice, rules).minutes * 60})`
  await tx
    .update(orders)
    .set({ holdExpiresAt: sql`least(${full}, ${orders.holdLimitAt})` })
    .where(eq(orders._id, _id))
}
