import { Elements } from '@stripe/react-stripe-js'
import { useIsFetching, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Order } from '#contracts/orders.ts'
import type { Shop } from '#contracts/shop.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { PaymentDue } from '#web/features/orders/payment-due.tsx'
import { ApiError } from '#web/lib/api.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { stripeQuery } from './load-stripe.ts'
import { PaymentForm } from './payment-form.tsx'
import { PaymentOutcome } from './payment-outcome.tsx'
import { PriceQuestion } from './price-question.tsx'
import { usePayment } from './use-payment.ts'

/** Is the order past paying? Then asking again would only say the same. */
const isFinal = (error: Error) =>
  error instanceof ApiError &&
  ['STOCK_GONE', 'TERMS_CHANGED', 'ORDER_GONE', 'ALREADY_PAID'].includes(error.code)

/** The total of the day, when it is not the one that was agreed to. */
const newTotalIn = (error: Error | null) =>
  error instanceof ApiError && error.code === 'PRICE_CHANGED' ? error.totalPrice : undefined

const isUnconfirmed = (error: Error) => error instanceof ApiError && error.code === 'NOT_VERIFIED'

const isPaidElsewhere = (error: Error | null) =>
  error instanceof ApiError && error.code === 'ALREADY_PAID'

function NotPayable({ message }: { message: string }) {
  return (
    <div role="alert" className="grid justify-items-start gap-4">
      <p className="text-danger">{message}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/#parts">See the parts</ButtonLink>
        <ButtonLink to="/dashboard/myOrders" variant="quiet">
          My orders
        </ButtonLink>
      </div>
    </div>
  )
}

function SandboxNote() {
  return (
    <p className="mt-6 border-line border-t pt-4 text-dim text-sm">
      Payments are simulated here: nothing is charged. Pay with the test card{' '}
      <span className="whitespace-nowrap font-mono text-ink">4242 4242 4242 4242</span>, any future
      date and any CVC.
    </p>
  )
}

export type PaymentProps = {
  payments: Shop['payments']
  /** What helps a customer whose address is not confirmed. */
  confirmation: ReactNode
}

/** The card entry form of one order, or what became of its payment. */
export function PaymentPanel({ order, payments, confirmation }: PaymentProps & { order: Order }) {
  const payment = usePayment(order)
  const stripe = useQuery({ ...stripeQuery(payments), enabled: payment.stage === 'form' })
  const { secret } = payment
  const leaving = useSignedOutBy(secret.error)
  const settling = useIsFetching({ queryKey: ['order', order._id] }) > 0
  if (payment.stage !== 'form') return <PaymentOutcome order={order} payment={payment} />
  // paid elsewhere: the order says so itself in a moment
  if (isPaidElsewhere(secret.error) && settling) return <Skeleton className="h-72 w-full" />
  if (secret.error && isFinal(secret.error)) return <NotPayable message={secret.error.message} />
  const newTotal = newTotalIn(secret.error)
  if (newTotal !== undefined) {
    const agree = () => payment.agreeTo(newTotal)
    return <PriceQuestion order={order} totalPrice={newTotal} onAgree={agree} />
  }
  const failed = [secret, stripe].find((query) => query.isError && !query.isFetching)
  if (failed?.error && !leaving) {
    return (
      <>
        <ErrorState message={failed.error.message} onRetry={() => failed.refetch()} />
        {isUnconfirmed(failed.error) && (
          <div className="flex flex-wrap items-center justify-center gap-4 pb-6">
            {confirmation}
          </div>
        )}
      </>
    )
  }
  if (!stripe.data) return <Skeleton className="h-72 w-full" />
  return (
    <>
      <PaymentDue order={{ ...order, totalPrice: payment.agreed }} />
      <Elements stripe={stripe.data}>
        <PaymentForm order={order} payment={payment} />
      </Elements>
      {payments.sandbox && <SandboxNote />}
    </>
  )
}
