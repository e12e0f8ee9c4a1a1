/**
 * What shipping and tax add to the price of a checkout's goods. It is computed when the customer
 * chooses how to get them, and again when the goods change; then it stays: a method or a rate that
 * changes while somebody pays changes nothing for him. A trigger refuses any change once a payment
 * is open.
 */

import { eq } from 'drizzle-orm'
import { cents, fromCents, sumOfTotals } from '#contracts/money.ts'
import { deliversTo, shippingPrice } from '#contracts/shipping-rules.ts'
import { rateFor, readRates, taxModes, taxOn } from '#contracts/tax.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { checkouts } from '#server/database/schema/checkouts.ts'
import { orders } from '#server/database/schema/orders.ts'
import { shippingMethods } from '#server/database/schema/shipping.ts'
import { found } from '#server/errors.ts'
import {
  lockCheckout,
  type OrderRow,
  orNone,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { readSettings } from '#server/features/settings/store.ts'
import { stepsOfMethod } from './methods.ts'
import { weighParts } from './weights.ts'

/** What the chosen method costs now for these orders of its checkout. */
export async function priceNow(tx: Transaction, lines: [OrderRow, ...OrderRow[]]): Promise<number> {
  const { methodId } = lines[0].shipping
  if (!methodId) return 0
  const { price, freeFrom } = shippingMethods
  const [method] = await tx
    .select({ price, freeFrom, steps: stepsOfMethod })
    .from(shippingMethods)
    .where(eq(shippingMethods._id, methodId))
  const weightG = await weighParts(tx, lines)
  return shippingPrice(found(method, 'shipping method'), sumOfTotals(lines), weightG)
}

const notChosen = {
  ...{ methodId: null, methodName: null, methodType: null, daysFrom: null, daysTo: null },
  shipping: 0,
  shippingTax: 0,
} as const

/** Forgets the address of a checkout of which nothing is left. */
async function forgetChoice(tx: Transaction, checkoutId: string): Promise<void> {
  await tx
    .update(checkouts)
    .set({ ...notChosen, shipTo: null, billTo: null, taxNumber: '' })
    .where(eq(checkouts._id, checkoutId))
}

/**
 * Takes back the choice of a method that has ended since, or that no longer delivers to the
 * address, of a checkout whose hold is over.
 * @returns whether it did: the customer has to choose anew
 */
export function endStaleChoice(db: Database, checkoutId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const lines = withoutDeleted(await lockCheckout(tx, checkoutId))
    const { methodId, type, shipTo } = lines[0]?.shipping ?? {}
    const isHeld = lines.every(({ holdExpiresAt }) => holdExpiresAt)
    if (!methodId || isHeld || (await findOpenPayment(tx, checkoutId))) return false
    const [row] = await tx.select().from(shippingMethods).where(eq(shippingMethods._id, methodId))
    const method = found(row, 'shipping method')
    const isOffered = method.endedAt === null && method.type === type
    if (isOffered && deliversTo(method, shipTo ?? { country: '', region: '' })) return false
    await tx.update(checkouts).set(notChosen).where(eq(checkouts._id, checkoutId))
    await priceCheckout(tx, checkoutId)
    return true
  })
}

/**
 * Computes shipping and tax of a locked, unpaid checkout from its method and address, with the
 * owner's methods and rates of now. Without an address, the rate is that of the shop's own region. Of
 * a checkout without orders it forgets the address.
 */
export async function priceCheckout(tx: Transaction, checkoutId: string): Promise<void> {
  const lines = orNone(withoutDeleted(await lockCheckout(tx, checkoutId)))
  if (!lines) {
    await forgetChoice(tx, checkoutId)
    return
  }
  const [first] = lines
  const { shop } = (await readSettings(tx)).settings
  const taxMode = taxModes.find((mode) => mode === shop.taxMode) ?? 'none'
  const { method, shipTo, type } = first.shipping
  // a line that joined may still have a tax that ended since
  const isUntaxed = lines.every(({ taxTotal }) => taxTotal === 0)
  if (!method && taxMode === 'none' && first.shipping.taxMode === null && isUntaxed) return
  const shipping = await priceNow(tx, lines)
  const isSent = type === 'ship' && shipTo !== null
  const region = isSent ? shipTo.region || shipTo.country : shop.taxRegion || shop.country
  const { rate, taxesShipping } = rateFor(
    taxMode === 'none' ? [] : readRates(shop.taxRates),
    region,
  )
  const isAdded = taxMode === 'added'
  await tx
    .update(checkouts)
    .set({
      shipping,
      taxMode,
      taxName: taxMode === 'none' ? '' : shop.taxName,
      taxRate: rate,
      shippingTax: isAdded && taxesShipping ? fromCents(taxOn(cents(shipping), rate)) : 0,
    })
    .where(eq(checkouts._id, checkoutId))
  for (const { _id, totalPrice, taxTotal } of lines) {
    const tax = isAdded ? fromCents(taxOn(cents(totalPrice), rate)) : 0
    if (tax !== taxTotal) await tx.update(orders).set({ taxTotal: tax }).where(eq(orders._id, _id))
  }
}

/** Whether shipping and tax of a checkout were computed. */
export const isPriced = (lines: readonly OrderRow[]): boolean =>
  found(lines[0], 'order').shipping.taxMode !== null
