import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { messages } from '#contracts/messages.ts'
import { checkoutNumber, leadOf, type Order } from '#contracts/orders.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { NextSteps, TransactionId } from '#web/features/orders/order-status.tsx'
import { checkoutQuery } from '#web/features/orders/queries.ts'
import { shortDay } from '#web/lib/moments.ts'
import { useMoney } from '#web/lib/use-money.ts'
import type { Payment } from './use-payment.ts'

function Transaction({ id }: { id: string | undefined }) {
  if (!id) return null
  return (
    <p className="grid gap-1 text-sm">
      Transaction id <TransactionId id={id} />
    </p>
  )
}

function Outcome({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className="grid justify-items-start gap-4">
      {title}
      {children}
    </div>
  )
}

export const toOrders = (
  <ButtonLink to="/dashboard/myOrders" variant="quiet">
    My orders
  </ButtonLink>
)

/** Takes over the focus when the Pay button disappears. */
function useFocusOfTheButton(charged: boolean) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (charged && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true })
    }
  }, [charged])
  return place
}

type Props = { order: Order; payment: Payment }

/** The result of the payment after the card was charged. */
export function PaymentOutcome(props: Props) {
  const place = useFocusOfTheButton(props.payment.charge.isSuccess)
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <OutcomeOf {...props} />
    </div>
  )
}

/** The amount paid, where the receipt is, and the next steps. */
function Paid({ order, justNow, id }: { order: Order; justNow: boolean; id: string | undefined }) {
  const money = useMoney()
  const { checkoutTotal, paidAt, email } = order
  const { data: checkout } = useQuery(checkoutQuery(order))
  const [first, ...more] = checkout?.orders ?? [order]
  const orders = [first ?? order, ...more] as const
  const lead = leadOf(orders)
  return (
    <Outcome
      title={
        <h2 className="font-semibold text-2xl text-green tracking-tight">
          {justNow ? messages.paymentCompleted : 'paid'}
        </h2>
      }
    >
      <p>
        You paid <strong className="tabular-nums">{money(checkoutTotal)}</strong> for order{' '}
        <span className="whitespace-nowrap">{checkoutNumber(orders)}</span>
        {!justNow && paidAt && ` on ${shortDay(paidAt)}`}. The receipt is in your mail at{' '}
        <span className="wrap-anywhere">{email}</span>.
      </p>
      <div className="grid gap-2">
        <h3 className="font-semibold">What happens next</h3>
        <NextSteps order={{ ...lead, status: order.paid ? order.status : 'paid' }} />
        {order.status !== 'shipped' && (
          <p>
            We will write when it is{' '}
            {checkout?.shipping.type === 'pick up' ? 'ready to be picked up' : 'on its way'}.
          </p>
        )}
      </div>
      <Transaction id={id} />
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`/dashboard/order/${lead._id}`}>Order details</ButtonLink>
        {toOrders}
      </div>
    </Outcome>
  )
}

function OutcomeOf({ order, payment }: Props) {
  const { stage, transactionId, reportPayment, charge } = payment
  if (stage === 'refused') {
    return (
      <div role="alert" className="grid justify-items-start gap-4">
        <p className="text-danger">{reportPayment.error?.message}</p>
        {toOrders}
      </div>
    )
  }
  if (stage === 'paid') {
    return <Paid order={order} justNow={charge.isSuccess} id={transactionId} />
  }
  if (!reportPayment.isError) {
    return (
      <Outcome title={<p className="font-semibold">Confirming…</p>}>
        <Transaction id={transactionId} />
        <p className="text-dim text-sm">Your card was charged. We are recording your payment.</p>
      </Outcome>
    )
  }
  return (
    <Outcome
      title={<p className="font-semibold">Your payment went through and is being confirmed.</p>}
    >
      <Transaction id={transactionId} />
      <p className="text-dim text-sm">
        The shop could not be reached just now; the card provider informs it too. You will not be
        charged again, and this page updates on its own.
      </p>
      <div className="flex flex-wrap gap-3">
        {transactionId && (
          <Button onClick={() => reportPayment.mutate(transactionId)}>Retry</Button>
        )}
        {toOrders}
      </div>
    </Outcome>
  )
}
