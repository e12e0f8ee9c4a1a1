import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { addressWords } from '#contracts/address-lines.ts'
import type { AddressCorrection } from '#contracts/addresses.ts'
import { type Currency, totalPriceProblem } from '#contracts/money.ts'
import { regionName } from '#contracts/regions.ts'
import type { ShippingChoice, ShippingMethod } from '#contracts/shipping.ts'
import { deliversTo, tellsRegions } from '#contracts/shipping-rules.ts'
import { readRates, type TaxRate } from '#contracts/tax.ts'
import { type Caller, isAdmin } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
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
import { findMethod } from './methods.ts'
import { priceCheckout } from './price-checkout.ts'

const invalid = (field: string, why: string) => new AppError('INVALID', why, { [field]: why })

/** The chosen address of the parcel; none for a pick-up. @throws AppError INVALID */
function addressFor(method: ShippingMethod, { address }: ShippingChoice, rates: TaxRate[]) {
  if (method.type === 'pick up') return null
  if (!address) throw invalid('address', 'Say where the parcel goes')
  checkAddress(address, 'address')
  const { country, region } = address
  const priced = [...method.regions, ...rates.map((rate) => rate.region)]
  if (!region && tellsRegions(priced, country))
    throw invalid('address.region', `${addressWords(country).region} is required`)
  if (deliversTo(method, address)) return address
  const where = regionName(address.region || address.country)
  throw invalid('methodId', `${method.name} does not deliver to ${where}`)
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
  const { taxMode, taxRates } = (await readSettings(deps.db)).settings.shop
  const rates = taxMode === 'none' ? [] : readRates(taxRates)
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
      )
    }
    return 1
  })
}
