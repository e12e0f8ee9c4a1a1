import { type ReactNode, useEffect, useRef } from 'react'
import { messages } from '#contracts/messages.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { TransactionId } from './order-status.tsx'
import type { Payment } from './use-payment.ts'

function Outcome({
  id,
  title,
  children,
}: {
  id: string | undefined
  title: ReactNode
  children: ReactNode
}) {
  return (
    <div role="status" className="grid justify-items-start gap-4">
      {title}
      {id && (
        <p className="grid gap-1 text-sm">
          Transaction id <TransactionId id={id} />
        </p>
      )}
      {children}
    </div>
  )
}

const toOrders = (
  <ButtonLink to="/dashboard/myOrders" variant="quiet">
    My orders
  </ButtonLink>
)

/** Takes the focus that the Pay button had when it went. */
function useFocusOfTheButton(charged: boolean) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (charged && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true })
    }
  }, [charged])
  return place
}

/** What became of the payment once the card was charged. */
export function PaymentOutcome(props: { orderId: string; payment: Payment }) {
  const place = useFocusOfTheButton(props.payment.charge.isSuccess)
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <OutcomeOf {...props} />
    </div>
  )
}

function OutcomeOf({ orderId, payment }: { orderId: string; payment: Payment }) {
  const { stage, transactionId, claim, charge } = payment
  if (stage === 'refused') {
    return (
      <div role="alert" className="grid justify-items-start gap-4">
        <p className="text-danger">{claim.error?.message}</p>
        {toOrders}
      </div>
    )
  }
  if (stage === 'paid') {
    const justNow = charge.isSuccess
    return (
      <Outcome
        id={transactionId}
        title={
          <p className="font-semibold text-green text-lg">
            {justNow ? messages.paymentCompleted : 'paid'}
          </p>
        }
      >
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={`/dashboard/order/${orderId}`}>Order details</ButtonLink>
          {toOrders}
        </div>
      </Outcome>
    )
  }
  if (!claim.isError) {
    return (
      <Outcome id={transactionId} title={<p className="font-semibold">Confirming…</p>}>
        <p className="text-dim text-sm">Your card was charged. The shop is writing it down.</p>
      </Outcome>
    )
  }
  return (
    <Outcome
      id={transactionId}
      title={<p className="font-semibold">Your payment went through and is being confirmed.</p>}
    >
      <p className="text-dim text-sm">
        The shop could not be told just now; it hears of it from the card provider too. You will not
        be charged again, and this page follows by itself.
      </p>
      <div className="flex flex-wrap gap-3">
        {transactionId && <Button onClick={() => claim.mutate(transactionId)}>Retry</Button>}
        {toOrders}
      </div>
    </Outcome>
  )
}
