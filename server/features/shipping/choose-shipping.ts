import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { addressWords } from '#contracts/address-lines.ts'
import type { Address, AddressCorrection } from '#contracts/addresses.ts'
import { type Currency, totalPriceProblem } from '#contracts/money.ts'
import { regionName } from '#contracts/regions.ts'
import type { ShippingChoice, ShippingMethod } from '#contracts/shipping.ts'
import { deliversTo, tellsRegions } from '#contracts/shipping-rules.ts'
import { rateFor, readRates, type TaxRate } from '#contracts/tax.ts'
import { type Caller, isAdmin, ownsOrAdmin } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { auditLog } from '#server/database/schema/audit.ts'
import { checkouts } from '#server/database/schema/checkouts.ts'
import { AppError, found } from '#server/errors.ts'
import {
  dueOf,
  idsOf,
  isUnpaid,
  listOrdersIn,
  lockCheckout,
  type OrderRow,
  orNone,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import {
  closePayment,
  paymentInProgress,
  type SettleDeps,
} from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { readSettings } from '#server/features/settings/store.ts'
import { mailOwnerAddress, type OwnerMailDeps } from '#server/mail/owner-mails.ts'
import { correctKept } from './addresses.ts'
import { checkAddress } from './check-address.ts'
import { findMethod, listMethods } from './methods.ts'
import { priceCheckout } from './price-checkout.ts'

const invalid = (field: string, why: string) => new AppError('INVALID', why, { [field]: why })

/** @throws AppError INVALID for an address that does not exist, or lacks what prices depend on */
function checkPriceable(address: Address, methods: ShippingMethod[], rates: TaxRate[]): void {
  checkAddress(address, 'address')
  const { country, region } = address
  const priced = [...methods.flatMap(({ regions }) => regions), ...rates.map((rate) => rate.region)]
  if (!region && tellsRegions(priced, country))
    throw invalid('address.region', `${addressWords(country).region} is required`)
}

/** The chosen address of the parcel; none for a pick-up. @throws AppError INVALID */
function addressFor(method: ShippingMethod, { address }: ShippingChoice, rates: TaxRate[]) {
  if (method.type === 'pick up') return null
  if (!address) throw invalid('address', 'Say where the parcel goes')
  checkPriceable(address, [method], rates)
  if (deliversTo(method, address)) return address
  const where = regionName(address.region || address.country)
  throw invalid('methodId', `${method.name} does not deliver to ${where}`)
}

/** The rates of the shop's tax; none without a tax. */
async function readTaxRates(db: Queryable): Promise<TaxRate[]> {
  const { taxMode, taxRates } = (await readSettings(db)).settings.shop
  return taxMode === 'none' ? [] : readRates(taxRates)
}

/** The caller's own unpaid orders of a checkout. @throws AppError NOT_FOUND, ALREADY_PAID */
function checkOwn(all: OrderRow[], caller: Caller): [OrderRow, ...OrderRow[]] {
  const own = withoutDeleted(all).filter(({ userId }) => userId === caller._id)
  const lines = found(orNone(own), 'checkout')
  if (!lines.every(isUnpaid)) throw new AppError('ALREADY_PAID', 'This order is paid already')
  return lines
}

/** How often to close a payment that the page just left may still open. */
const maxTries = 3

/**
 * Chooses how an unpaid checkout reaches its customer, and computes its price. Closes its open
 * payment first.
 * @throws AppError NOT_FOUND, INVALID, ALREADY_PAID, PAYMENT_IN_PROGRESS, PROVIDER_DOWN
 */
export async function chooseShipping(
  deps: SettleDeps & { currency: Currency },
  caller: Caller,
  id: string,
  choice: ShippingChoice,
): Promise<void> {
  checkOwn(await listOrdersIn(deps.db, id), caller)
  const rates = await readTaxRates(deps.db)
  addressFor(await findMethod(deps.db, choice.methodId), choice, rates)
  if (choice.billing) checkAddress(choice.billing, 'billing')
  for (let tries = 1; tries <= maxTries; tries += 1) {
    if (!(await closePayment(deps, id))) throw paymentInProgress()
    const isChosen = await deps.db.transaction(async (tx) => {
      checkOwn(await lockCheckout(tx, id), caller)
      // the owner may have changed or ended it since
      const method = await findMethod(tx, choice.methodId, 'share')
      const shipTo = addressFor(method, choice, rates)
      // another tab opened a payment meanwhile
      if (await findOpenPayment(tx, id)) return false
      await tx
        .update(checkouts)
        .set({
          methodId: method._id,
          methodName: method.name,
          methodType: method.type,
          daysFrom: method.daysFrom,
          daysTo: method.daysTo,
          shipTo,
          billTo: choice.billing ?? null,
          taxNumber: choice.taxNumber ?? '',
        })
        .where(eq(checkouts._id, id))
      await priceCheckout(tx, id)
      const problem = totalPriceProblem(dueOf(await lockCheckout(tx, id)), deps.currency)
      if (problem) throw invalid('methodId', problem)
      return true
    })
    if (isChosen) return
  }
  throw paymentInProgress()
}

/** Each correction mails the owner. */
const mostInADay = 5

/** @throws AppError TOO_MANY */
async function checkNotTooMany(tx: Transaction, orderId: string): Promise<void> {
  const count = await tx.$count(
    auditLog,
    sql`${auditLog.orderId} = ${orderId} and ${auditLog.action} = 'address corrected'
      and ${auditLog.createdAt} > now() - interval '1 day'`,
  )
  if (count >= mostInADay)
    throw new AppError('TOO_MANY', `You corrected it ${mostInADay} times within a day. Call us.`)
}

/** @throws AppError INVALID where the shop does not deliver, or another tax was to be paid */
async function checkDelivered(tx: Transaction, { shipping }: OrderRow, address: Address) {
  const { taxMode, taxRate } = shipping
  const methods = (await listMethods(tx)).filter(({ type }) => type === 'ship')
  const rates = await readTaxRates(tx)
  checkPriceable(address, methods, rates)
  const where = address.region || address.country
  if (!methods.some((method) => deliversTo(method, address)))
    throw invalid('address', `We do not deliver to ${regionName(where)}. Write to us.`)
  if (taxMode === 'added' && rateFor(rates, where).rate !== taxRate)
    throw invalid('address', 'Another tax applies there. Cancel this order and book it again.')
}

/**
 * Says where a checkout goes that was paid without a choice of delivery, once, before any of it is
 * shipped: by its customer, or by an admin who asked. What delivery costs is between the two.
 * @returns 0 when it was so already
 * @throws AppError NOT_FOUND, ORDER_UNPAID, ALREADY_SHIPPED, INVALID
 */
export function addLateAddress(
  deps: OwnerMailDeps & Pick<SettleDeps, 'db'>,
  caller: Caller,
  id: string,
  address: Address,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const all = withoutDeleted(await lockCheckout(tx, id))
    const isAllowed = all.every(({ userId }) => ownsOrAdmin(caller, userId))
    const lines = found(isAllowed ? orNone(all) : null, 'checkout')
    const { method, shipTo } = lines[0].shipping
    if (isDeepStrictEqual(shipTo, address)) return 0
    if (lines.some(isUnpaid))
      throw new AppError('ORDER_UNPAID', 'This order is not paid: choose its delivery')
    if (method || shipTo)
      throw invalid('address', 'Its delivery is chosen. Only name, company and street can change.')
    if (lines.some(({ shippedAt }) => shippedAt) || !lines.some(({ status }) => status === 'paid'))
      throw new AppError('ALREADY_SHIPPED', 'Nothing of this order is to be sent any more')
    await checkDelivered(tx, lines[0], address)
    await tx.update(checkouts).set({ shipTo: address }).where(eq(checkouts._id, id))
    await logActions(
      tx,
      idsOf(lines).map((orderId) => ({ actor: caller, orderId, action: 'address added' })),
    )
    if (lines.every(({ userId }) => userId === caller._id)) {
      const addressed = found(orNone(withoutDeleted(await lockCheckout(tx, id))), 'checkout')
      await mailOwnerAddress(deps, tx, addressed, 'added')
    }
    return 1
  })
}

/**
 * Corrects name, company and street of a paid checkout until all of it is shipped, by its customer
 * or an admin. The owner gets a mail; the customer's kept address follows.
 * Where it goes stays, because that made its price.
 * @returns 0 when it was so already
 * @throws AppError NOT_FOUND, ORDER_UNPAID, ALREADY_SHIPPED, TOO_MANY, INVALID without an address
 */
export function correctAddress(
  deps: OwnerMailDeps & Pick<SettleDeps, 'db'>,
  caller: Caller,
  id: string,
  correction: AddressCorrection,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const all = withoutDeleted(await lockCheckout(tx, id))
    const isOwn = all.every(({ userId }) => userId === caller._id)
    const lines = found(isOwn || isAdmin(caller) ? orNone(all) : null, 'checkout')
    const { shipTo } = lines[0].shipping
    if (!shipTo) throw invalid('name', 'This order has no address')
    if (lines.some(isUnpaid))
      throw new AppError('ORDER_UNPAID', 'This order is not paid: choose its address anew')
    if (!lines.some(({ status }) => status === 'paid'))
      throw new AppError('ALREADY_SHIPPED', 'This order is on its way, so its address stays')
    const corrected = { ...shipTo, ...correction }
    if (isDeepStrictEqual(corrected, shipTo)) return 0
    if (isOwn) await checkNotTooMany(tx, lines[0]._id)
    await tx.update(checkouts).set({ shipTo: corrected }).where(eq(checkouts._id, id))
    const actions = idsOf(lines).map((orderId) => ({ actor: caller, orderId }))
    await logActions(
      tx,
      actions.map((action) => ({ ...action, action: 'address corrected' })),
    )
    if (isOwn) {
      await correctKept(tx, caller._id, { from: shipTo, to: corrected })
      await mailOwnerAddress(
        deps,
        tx,
        found(orNone(withoutDeleted(await lockCheckout(tx, id))), 'checkout'),
        'corrected',
      )
    }
    return 1
  })
}
