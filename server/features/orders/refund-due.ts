import { mailCustomer, returnedMail } from './order-mail.ts'
import { findPayment, markPayment } from './payment-store.ts'
import type { SettleDeps } from './settle.ts'
import { findOrder } from './store.ts'

/** Gives money back that no order can take. The provider makes one refund of it however often this runs. */
export async function refundDue(deps: SettleDeps, intentId: string): Promise<void> {
  const { db, payments, log, publicUrl } = deps
  const due = await findPayment(db, intentId)
  if (due?.status !== 'refund_due') return
  const refundId = await payments.refundIntent(intentId)
  await db.transaction(async (tx) => {
    await markPayment(tx, intentId, ['refund_due'], { status: 'refunded', refundId })
    const order = await findOrder(tx, due.orderId)
    if (!order) return
    const words = returnedMail(order, { intentId, amount: due.amount }, publicUrl)
    await mailCustomer(tx, order, words, `returned ${intentId}`)
  })
  log.warn({ intentId, refundId }, 'refunded')
}
