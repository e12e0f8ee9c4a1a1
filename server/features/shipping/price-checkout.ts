/**
 * What shipping and tax add to the price of a checkout's goods. It is computed when the customer
 * chooses how to get them, and again when the goods change; then it stays: a method or a rate that
 * changes while somebody pays changes nothing for him. A trigger refuses any change once a payment
 * is open.
 */

import { eq } from 'drizzle-orm'
import { cents, fromCents, sumOfTotals } from '#contracts/money.ts'
import { shippingPrice } from '#contracts/shipping-rules.ts'
import { rateFor, readRates, taxModes, taxOn } from '#contracts/tax.ts'
import type { Transaction } from '#server/database/client.ts'
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
import { readSettings } from '#server/features/settings/store.ts'

/** The price of the chosen method now; that of a deleted one stays. */
async function priceNow(tx: Transaction, { shipping }: OrderRow, goods: number): Promise<number> {
  const { methodId, price } = shipping
  if (!methodId) return price
  const [method] = await tx
    .select({ price: shippingMethods.price, freeFrom: shippingMethods.freeFrom })
    .from(shippingMethods)
    .where(eq(shippingMethods._id, methodId))
  return method ? shippingPrice(method, goods) : price
}

/**
 * Computes shipping and tax of a locked, unpaid checkout from its method and address, with the
 * owner's methods and rates of now. Without an address, the rate is that of the shop's own region.
 */
export async function priceCheckout(tx: Transaction, checkoutId: string): Promise<void> {
  const lines = orNone(withoutDeleted(await lockCheckout(tx, checkoutId)))
  if (!lines) return
  const [first] = lines
  const { shop } = (await readSettings(tx)).settings
  const taxMode = taxModes.find((mode) => mode === shop.taxMode) ?? 'none'
  const { method, shipTo, type } = first.shipping
  if (!method && taxMode === 'none' && first.shipping.taxMode === null) return
  const shipping = await priceNow(tx, first, sumOfTotals(lines))
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
