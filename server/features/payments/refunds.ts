/**
 * The only code that returns money to customers. A refund is a row of `refunds`, and its state only
 * moves forward:
 *
 * - `requested`: an admin asked for it (`refund-orders.ts`), its customer canceled
 *   (`cancel-orders.ts`), or no order could take the payment (`settle.ts`). `makeRefund` asks the provider, and the job `settle_payments` does so again
 *   until there is an answer.
 * - `pending`, `succeeded`: the provider made it, as its answer, a webhook or the daily import says
 *   (`syncRefunds`). The first of these restocks the units and mails the customer. Refunds made by
 *   hand in the provider's dashboard begin here.
 * - `failed`: the provider refused it, the shop gave it up because refunds by hand left too little,
 *   or the customer's bank sent the money back to the shop, even after `succeeded`. What was
 *   restocked stays; a trigger takes the amount off the order's refunds. A refund that is owed for a
 *   payment that no order could take stays `requested` when it is refused.
 *
 * Triggers (`database/triggers.sql`) keep the sum within what was paid, and set the order's
 * `refunded_cents` and status.
 */

import type { Logger } from 'pino'
import { fromCents } from '#contracts/money.ts'
import type { Payments, Refund } from '#server/adapters/payments/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { AppError, found } from '#server/errors.ts'
import {
  issueCreditNote,
  issueReversal,
  type RefundPaper,
} from '#server/features/invoices/issue.ts'
import { restockUnits } from '#server/features/orders/stock-movements.ts'
import {
  byPart,
  lockCheckout,
  type OrderRow,
  orNone,
  paidCents,
  shippingCents,
} from '#server/features/orders/store.ts'
import { reopenTicket } from '#server/features/tickets/change-ticket.ts'
import {
  mailCustomer,
  ordersOf,
  refundedMail,
  refundFailedMail,
  unmatchedPaymentMail,
} from '#server/mail/order-mails.ts'
import { mailOwnerFailedRefund, type OwnerMailDeps } from '#server/mail/owner-mails.ts'
import { recordFees } from './fees.ts'
import {
  findRefund,
  insertRefund,
  listRefundsOf,
  markRefund,
  type RefundLine,
  type RefundRow,
  touchRefund,
} from './refund-store.ts'
import { findPayment, type PaymentRow } from './store.ts'

export type RefundDeps = OwnerMailDeps & {
  db: Database
  payments: Payments
  log: Logger
}

/** The order of the states. A report that is not further than the stored state is outdated. */
const progress = { requested: 0, pending: 1, succeeded: 2, failed: 3 }

const sentBack = 'the bank of the customer sent the money back'
const madeByHand = 'some of the payment was refunded by hand at the card provider'

const idOf = (userId: string | null) => (userId ? { _id: userId } : null)

/**
 * What a refund pays back for each order: its lines or, if the checkout took no money, all of it
 * for the first order. That of the shipping is told with the first order, too.
 */
function portionsOf(orders: OrderRow[], { amount, lines }: RefundRow) {
  const [first] = orders
  const portions =
    lines.length === 0 && first
      ? [{ order: first, amount, restock: 0, isShipping: false }]
      : lines.map(({ orderId, ...line }) => {
          const order = orderId === null ? first : orders.find(({ _id }) => _id === orderId)
          return { ...line, order: found(order, 'order'), isShipping: orderId === null }
        })
  return found(orNone(portions), 'order')
}

/**
 * Handles a refund that the provider made: restocks the units, mails the customer and logs the
 * action.
 */
async function onMade(
  deps: RefundDeps,
  tx: Transaction,
  payment: PaymentRow,
  { orders, refund, papers }: { orders: OrderRow[]; refund: RefundRow; papers: Papers },
): Promise<void> {
  const { _id, reason, requestedBy, amount: all } = refund
  const portions = portionsOf(orders, refund)
  for (const { order, restock } of portions.toSorted((a, b) => byPart(a.order, b.order)))
    if (restock > 0) await restockUnits(tx, order, { _id, restock, reason })
  const about = ordersOf(portions)
  const dedupe = `refunded ${_id} ${about[0]._id}`
  if (payment.status === 'unmatched') {
    const mail = unmatchedPaymentMail(about, { payment, amount: all }, deps)
    await mailCustomer(tx, about, mail, dedupe)
  } else {
    const paper = await paperOf(tx, payment, { orders, refund })
    const checkout = found(orNone(paidWith(orders, payment)), 'order')
    const soFar = givenOf(await listRefundsOf(tx, payment.intentId))
    papers.push(async () => {
      const note = await issueCreditNote(tx, deps.currency, paper)
      const mail = refundedMail(portions, { checkout, soFar, note }, deps)
      await mailCustomer(tx, about, mail, dedupe, note)
    })
  }
  await logActions(
    tx,
    portions.map(({ order, amount, restock, isShipping }) => ({
      actor: idOf(requestedBy),
      action: 'payment refunded',
      orderId: order._id,
      detail: { amount: fromCents(amount), reason, restock, ...(isShipping && { isShipping }) },
    })),
  )
}

/** Papers to issue at the end of a transaction: the counter of their numbers is locked last. */
type Papers = (() => Promise<void>)[]

/** The sum of the refunds that the provider made, in cents. */
const givenOf = (refunds: RefundRow[]): number =>
  refunds
    .filter(({ state }) => state === 'pending' || state === 'succeeded')
    .reduce((sum, { amount }) => sum + amount, 0)

/** The orders of a checkout that a payment paid. */
const paidWith = (orders: OrderRow[], { intentId }: PaymentRow) =>
  orders.filter(({ transactionId }) => transactionId === intentId)

/**
 * Handles a failed refund: mails the owner, logs the action, and mails the customer if an earlier
 * mail announced the refund.
 */
async function onFailed(
  deps: RefundDeps,
  tx: Transaction,
  orders: OrderRow[],
  refund: RefundRow & { why: string },
): Promise<void> {
  const { _id, why } = refund
  const portions = portionsOf(orders, refund)
  const about = ordersOf(portions)
  deps.log.error({ orderId: about[0]._id, refundId: _id, reason: why }, 'refund_failed')
  const isKnown = refund.state !== 'requested'
  if (isKnown || refund.cause === 'customer') {
    const mail = refundFailedMail(portions, { wasGiven: isKnown }, deps)
    await mailCustomer(tx, about, mail, `refund failed ${_id} ${about[0]._id}`)
  }
  await mailOwnerFailedRefund(deps, tx, about, refund)
  if (refund.ticketId) await reopenTicket(tx, refund.ticketId)
  await logActions(
    tx,
    portions.map(({ order, amount }) => ({
      actor: idOf(refund.requestedBy),
      action: 'refund failed',
      orderId: order._id,
      detail: { amount: fromCents(amount), why },
    })),
  )
}

/** What a payment paid for, in cents: its orders and, with the id null, their shipping. */
function boughtWith(orders: OrderRow[], payment: PaymentRow, stored: RefundRow[]) {
  const paid = paidWith(orders, payment)
  const [any] = paid
  const ofShipping = stored
    .filter(({ state }) => state === 'pending' || state === 'succeeded')
    .flatMap(({ lines }) => lines.filter(({ orderId }) => orderId === null))
    .reduce((sum, { amount }) => sum + amount, 0)
  return [
    ...paid.map((order) => ({
      orderId: order._id,
      price: paidCents(order),
      given: order.refundedCents,
    })),
    ...(any ? [{ orderId: null, price: shippingCents(any), given: ofShipping }] : []),
  ]
}

/** What a paper says of a refund: what it gives back, and what was given back before it. */
async function paperOf(
  tx: Transaction,
  payment: PaymentRow,
  {
    orders,
    refund,
    isReturned = false,
  }: { orders: OrderRow[]; refund: RefundRow; isReturned?: boolean },
): Promise<RefundPaper> {
  const stored = await listRefundsOf(tx, payment.intentId)
  const bought = boughtWith(orders, payment, stored)
  const before = (given: number, amount: number) => (isReturned ? given : given - amount)
  const portions = portionsOf(orders, refund).map((portion) => {
    const id = portion.isShipping ? null : portion.order._id
    const given = bought.find(({ orderId }) => orderId === id)?.given ?? 0
    return { ...portion, before: before(given, portion.amount) }
  })
  return {
    refundId: refund._id,
    transactionId: payment.intentId,
    portions: found(orNone(portions), 'order'),
    before: before(givenOf(stored), refund.amount),
  }
}

/**
 * A refund made by hand at the provider names no order. Spreads it over the orders that the payment
 * paid, in the order of their ids, then over their shipping: first over amounts that no other
 * refund has requested.
 */
function spread(
  amount: number,
  payment: PaymentRow,
  { orders, stored }: { orders: OrderRow[]; stored: RefundRow[] },
): RefundLine[] {
  const requested = stored.filter(({ state }) => state === 'requested').flatMap((row) => row.lines)
  const lines = new Map<string | null, number>()
  let left = amount
  for (const isPromised of [false, true]) {
    for (const { orderId, price, given } of boughtWith(orders, payment, stored)) {
      const promised = requested
        .filter((line) => line.orderId === orderId)
        .reduce((sum, line) => sum + line.amount, 0)
      const free = price - given - promised
      const part = Math.min(left, Math.max(0, isPromised ? promised + Math.min(0, free) : free))
      left -= part
      if (part > 0) lines.set(orderId, (lines.get(orderId) ?? 0) + part)
    }
  }
  return [...lines].map(([orderId, part]) => ({ orderId, amount: part, restock: 0 }))
}

/** Records a refund that was made by hand, spread over what earlier ones left. */
async function insertByHand(
  tx: Transaction,
  byHand: Parameters<typeof insertRefund>[1],
  payment: PaymentRow,
  orders: OrderRow[],
): Promise<RefundRow> {
  // those of the same report are stored meanwhile
  const stored = await listRefundsOf(tx, payment.intentId)
  return insertRefund(tx, byHand, spread(byHand.amount, payment, { orders, stored }))
}

/**
 * Records one refund from the provider: in its row, or in a new row if it was made in the
 * dashboard.
 */
async function applyProviderRefund(
  deps: RefundDeps,
  tx: Transaction,
  payment: PaymentRow,
  { stored, atProvider, papers }: { stored: RefundRow[]; atProvider: Refund; papers: Papers },
): Promise<void> {
  const { id: providerId, amount, state, reference } = atProvider
  const row =
    stored.find((refund) => refund.providerId === providerId) ??
    stored.find((refund) => refund.state === 'requested' && refund._id === reference)
  const isProgress = row ? progress[state] > progress[row.state] : state !== 'failed'
  if (!isProgress) return
  const hasFailed = state === 'failed'
  if (row)
    await markRefund(tx, row._id, { state, providerId, ...(hasFailed && { note: sentBack }) })
  const { intentId, checkoutId } = payment
  const byHand = { intentId, cause: 'provider' as const, amount, state, providerId }
  const before = await lockCheckout(tx, checkoutId)
  const refund = row ?? (await insertByHand(tx, byHand, payment, before))
  // reads the orders again, because a trigger has updated their refunds
  const orders = await lockCheckout(tx, checkoutId)
  if (!hasFailed) {
    if (!row || row.state === 'requested')
      await onMade(deps, tx, payment, { orders, refund, papers })
    return
  }
  await onFailed(deps, tx, orders, { ...refund, why: sentBack })
  const paper = await paperOf(tx, payment, { orders, refund, isReturned: true })
  papers.push(() => issueReversal(tx, deps.currency, paper))
}

/**
 * Lowers the requested refund of an unmatched payment to what refunds by hand left of it: the
 * provider refuses more.
 */
async function reduceOwedRefund(tx: Transaction, payment: PaymentRow): Promise<void> {
  const { intentId } = payment
  const all = await listRefundsOf(tx, intentId)
  const request = all.find(
    ({ cause, state }) => cause === 'unmatched_payment' && state === 'requested',
  )
  const left = payment.amount - givenOf(all)
  if (!request || left >= request.amount) return
  await markRefund(tx, request._id, { state: 'failed', note: madeByHand })
  const { cause, state, reason } = request
  if (left > 0) await insertRefund(tx, { intentId, cause, state, reason, amount: left }, [])
}

/**
 * Fails requested refunds of orders for which refunds by hand left too little. The provider would
 * make them anyway, from the money of the checkout's other orders.
 */
async function endOverfullRequests(
  deps: RefundDeps,
  tx: Transaction,
  payment: PaymentRow,
): Promise<void> {
  const orders = paidWith(await lockCheckout(tx, payment.checkoutId), payment)
  const stored = await listRefundsOf(tx, payment.intentId)
  const bought = boughtWith(orders, payment, stored).filter(({ price }) => price > 0)
  if (bought.length < 2) return
  const isTooMuch = ({ orderId, amount }: RefundLine) =>
    bought.some((each) => each.orderId === orderId && each.given + amount > each.price)
  for (const refund of stored) {
    if (refund.state !== 'requested' || !refund.lines.some(isTooMuch)) continue
    await markRefund(tx, refund._id, { state: 'failed', note: madeByHand })
    await onFailed(deps, tx, orders, { ...refund, why: madeByHand })
  }
}

/** Records the fees of refunds. One that failed before it was recorded has none. */
async function recordRefundFees(
  tx: Transaction,
  intentId: string,
  atProvider: Refund[],
): Promise<void> {
  const stored = new Map(
    (await listRefundsOf(tx, intentId)).map(({ providerId, _id }) => [providerId, _id]),
  )
  const reported = atProvider.flatMap(({ id, fees }) => {
    const refundId = stored.get(id)
    if (!refundId) return []
    const about = { intentId, refundId }
    return [
      { ...about, type: 'refund' as const, fee: fees.refund },
      { ...about, type: 'refund sent back' as const, fee: fees.sentBack },
    ]
  })
  await recordFees(tx, reported)
}

/** Ends a requested refund that the provider refuses, unless the money is owed. */
async function endRefused(
  deps: RefundDeps,
  tx: Transaction,
  orders: OrderRow[],
  { _id, why }: { _id: string; why: string },
): Promise<void> {
  const row = await findRefund(tx, _id)
  if (row?.state !== 'requested') return
  const isOwed = row.cause === 'unmatched_payment'
  await markRefund(tx, _id, { state: isOwed ? 'requested' : 'failed', note: why })
  if (isOwed)
    deps.log.error({ orderId: orders[0]?._id, refundId: _id, reason: why }, 'refund_refused')
  else await onFailed(deps, tx, orders, { ...row, why })
}

/**
 * Records the provider's refunds of a payment in one transaction, even those made by hand. The
 * result is the same if reports are repeated, late or out of order.
 * @param refused a requested refund that the provider refuses. Unless the provider lists it all the
 *   same, an admin's refund fails, and the refund of an unmatched payment stays requested, because
 *   the money is owed
 */
async function applyProviderRefunds(
  deps: RefundDeps,
  intentId: string,
  atProvider: Refund[],
  refused?: { _id: string; why: string },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const payment = found(await findPayment(tx, intentId), 'payment')
    const orders = await lockCheckout(tx, payment.checkoutId)
    const stored = await listRefundsOf(tx, intentId)
    const papers: Papers = []
    for (const refund of atProvider)
      await applyProviderRefund(deps, tx, payment, { stored, atProvider: refund, papers })
    await reduceOwedRefund(tx, payment)
    await endOverfullRequests(deps, tx, payment)
    if (refused) await endRefused(deps, tx, orders, refused)
    await recordRefundFees(tx, intentId, atProvider)
    for (const issue of papers) await issue()
  })
}

/** Returns the provider's refusal as a value; rethrows any other error. */
const asRefusal = (error: unknown): AppError => {
  if (error instanceof AppError && error.code === 'REFUND_REFUSED') return error
  throw error
}

/**
 * Asks the provider for the refunds of a received payment, and records them.
 * @param refused as in `applyProviderRefunds`
 * @throws AppError PROVIDER_DOWN; nothing has changed then
 */
export async function syncRefunds(
  deps: RefundDeps,
  intentId: string,
  refused?: { _id: string; why: string },
): Promise<void> {
  const listed = await deps.payments.listRefunds(intentId).catch(asRefusal)
  await applyProviderRefunds(deps, intentId, listed instanceof AppError ? [] : listed, refused)
}

/**
 * Asks the provider for a refund that is recorded as requested, and records the response. However
 * often this runs, the provider makes one refund.
 * @throws AppError PROVIDER_DOWN, or any other error; the refund then stays requested, and the job
 *   `settle_payments` makes it
 */
export async function makeRefund(
  deps: RefundDeps,
  { _id, intentId, amount }: Pick<RefundRow, '_id' | 'intentId' | 'amount'>,
): Promise<void> {
  const request = { intentId, amount, reference: _id, idempotencyKey: `refund-${_id}` }
  const answer = await deps.payments.refund(request).catch(asRefusal)
  if (!(answer instanceof AppError)) return applyProviderRefunds(deps, intentId, [answer])
  // the provider may refuse because the refund exists: made by hand, or by us so long ago that the
  // key has expired
  await syncRefunds(deps, intentId, { _id, why: answer.message })
}

/**
 * Finishes one refund. Reads the provider's refunds first, because the idempotency key may have
 * expired there.
 * @throws AppError PROVIDER_DOWN, or any other error; the next run then tries again
 */
export async function finishRefund(
  deps: RefundDeps,
  { _id, intentId }: Pick<RefundRow, '_id' | 'intentId'>,
): Promise<void> {
  await touchRefund(deps.db, _id)
  await syncRefunds(deps, intentId)
  const refund = await findRefund(deps.db, _id)
  if (refund?.state === 'requested') await makeRefund(deps, refund)
}
