import { Elements } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { queryOptions, useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Checkout } from '#contracts/checkouts.ts'
import { checkoutNumber, type Order } from '#contracts/orders.ts'
import type { Shop } from '#contracts/shop.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { CheckoutLines, CheckoutSums, SumsWith } from '#web/features/orders/checkout-lines.tsx'
import { PaymentDue } from '#web/features/orders/hold-countdown.tsx'
import { NoSuchOrder } from '#web/features/orders/order-status.tsx'
import {
  type Agreed,
  checkoutQuery,
  isOfSeveral,
  orderQuery,
} from '#web/features/orders/queries.ts'
import { ShippingForm } from '#web/features/shipping/shipping-form.tsx'
import { ShippingSummary } from '#web/features/shipping/shipping-summary.tsx'
import { ApiError } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown, isUnverified } from '#web/lib/refusals.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { GoneLines, goneIn } from './gone-lines.tsx'
import { PaymentForm } from './payment-form.tsx'
import { PaymentOutcome, toOrders } from './payment-outcome.tsx'
import { usePayment } from './use-payment.ts'

type SummaryProps = {
  order: Order
  checkout: Checkout
  /** Whether the delivery is being chosen. */
  isAsked: boolean
  onChange: (() => void) | undefined
}

/** What the payment is for: beside the form where there is room, one line above it on a phone. */
function OrderSummary({ order, checkout, isAsked, onChange }: SummaryProps) {
  const money = useMoney()
  const { shipping, due } = checkout
  const isOfOne = !isOfSeveral(order)
  return (
    <section aria-label="Order" className="grid gap-6">
      {isOfOne ? (
        <div className="grid grid-cols-[6rem_1fr] items-center gap-4 xl:grid-cols-1">
          <div className="card thumb">
            <Picture
              src={order.image}
              alt={order.product}
              sizes="(min-width: 1280px) 420px, 96px"
              priority
            />
          </div>
          <div>
            <h2 className="text-2xl font-semibold tracking-tight">{order.product}</h2>
            <p className="mt-1 font-mono text-dim text-sm">{order.number}</p>
            <p className="mt-1 font-mono text-dim text-sm tabular-nums">
              Quantity {order.quantity} × {money(order.price)}
            </p>
          </div>
        </div>
      ) : (
        <CheckoutLines checkout={checkout} unlinked="all" />
      )}
      {/* while the delivery is being chosen, its form shows the sums of the choice */}
      {!isAsked && (!isOfOne || due !== order.totalPrice || shipping.tax > 0) && (
        <div>
          <CheckoutSums checkout={checkout} />
        </div>
      )}
      {shipping.method && !isAsked && (
        <div className="border-line border-t pt-4">
          <ShippingSummary shipping={shipping} />
          {onChange && (
            <button
              type="button"
              className="link mt-2 min-h-11 cursor-pointer text-sm"
              onClick={onChange}
            >
              Change the delivery
            </button>
          )}
        </div>
      )}
    </section>
  )
}

/** What the page's title calls the orders. */
const titleOf = ({ number, product }: Order, orders: readonly [Order, ...Order[]]) =>
  orders.length > 1 ? checkoutNumber(orders) : `${number}, ${product}`

/** Reads an order and its checkout anew: others may have joined it, or left it. */
function useOrderToPay(id: string) {
  const { error, refetch, ...fetched } = useQuery(orderQuery(useQueryClient(), id))
  const order = fetched.isFetchedAfterMount ? fetched.data : undefined
  const ofOrder = useQuery(checkoutQuery(order))
  const checkout = ofOrder.isFetchedAfterMount ? ofOrder.data : undefined
  const retry = () => void (order ? ofOrder.refetch() : refetch())
  return { order, checkout, error: error ?? ofOrder.error, retry }
}

/** Moves the focus to the next step, when the button that led to it has disappeared. */
function useFocusAfter(times: number) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (times > 0) panel.current?.focus()
  }, [times])
  return panel
}

/** Pays an order and the rest of its checkout by card, after asking how it is delivered. */
export function PaymentScreen({ id, ...rest }: PaymentProps & { id: string }) {
  const { order, checkout, error, retry } = useOrderToPay(id)
  const { user } = useSession()
  const [choice, setChoice] = useState({ isChanging: false, times: 0 })
  const [first, ...more] = checkout?.orders ?? []
  usePageTitle(order && first && `Payment of ${titleOf(order, [first, ...more])}`)
  const leaving = useSignedOutBy(error)
  if (isUnknown(error)) return <NoSuchOrder />
  if (!checkout && error && !leaving) return <ErrorState message={error.message} onRetry={retry} />
  const isUnpaid = order?.status === 'unpaid' && first !== undefined
  const canChoose = isUnpaid && (checkout?.methods.length ?? 0) > 0
  const asks = canChoose && (choice.isChanging || checkout?.shipping.method === null)
  const change = (isChanging: boolean) =>
    setChoice(({ times }) => ({ isChanging, times: times + 1 }))
  const panel = useFocusAfter(choice.times)
  return (
    <div aria-busy={!checkout}>
      <h1 tabIndex={-1} className="mb-6 text-4xl font-bold tracking-tight outline-none">
        {order?.paid ? 'Thank you' : 'Payment'}
      </h1>
      <div className="grid items-start gap-8 xl:grid-cols-[1fr_1.3fr]">
        {order && checkout ? (
          <OrderSummary
            order={order}
            checkout={checkout}
            isAsked={asks}
            onChange={canChoose && !asks ? () => change(true) : undefined}
          />
        ) : (
          <Skeleton className="h-18 w-full xl:aspect-4/3 xl:h-auto" />
        )}
        {order && checkout ? (
          <section
            ref={panel}
            tabIndex={-1}
            aria-label={asks ? 'Delivery' : 'Card payment'}
            className="card min-w-0 p-6 outline-none sm:p-8"
          >
            {asks ? (
              <ShippingForm
                checkout={checkout}
                name={user?.name ?? ''}
                onChosen={() => change(false)}
                onCancel={checkout.shipping.method === null ? undefined : () => change(false)}
                sums={(method) => <SumsWith checkout={checkout} method={method} />}
              />
            ) : (
              // what is to be paid was chosen anew, or has another line
              <PaymentPanel
                key={`${choice.times} ${checkout.orders.length}`}
                order={order}
                checkout={checkout}
                {...rest}
              />
            )}
          </section>
        ) : (
          <Skeleton className="h-96 w-full" />
        )}
      </div>
    </div>
  )
}

type Props = {
  checkout: Checkout
  /** What it costs now. */
  due: number
  onAgree: () => void
}

/**
 * Asks whether the customer still wants an order whose price has changed, before a payment is
 * opened.
 */
function PriceQuestion({ checkout, due, onAgree }: Props) {
  const money = useMoney()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // the card input and its button disappeared while they had the focus
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={place} tabIndex={-1} role="alert" className="grid gap-4 outline-none">
      <p className="font-display text-2xl font-semibold tracking-tight">
        The price has changed to {money(due)}
      </p>
      <p className="text-pretty text-dim text-sm">
        It was {money(checkout.due)} while the parts were held for you. The hold is over, and
        nothing was charged. Do you want them at the new price?
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onAgree}>Continue with {money(due)}</Button>
        {toOrders}
      </div>
    </div>
  )
}

/** Whether the order can no longer be paid. A retry would return the same error. */
const isFinal = (error: Error) =>
  error instanceof ApiError &&
  ['STOCK_GONE', 'TERMS_CHANGED', 'ORDER_GONE', 'ALREADY_PAID'].includes(error.code)

/** The current total when it differs from the agreed one. */
const newSumsIn = (error: Error | null): Agreed | undefined => {
  if (!(error instanceof ApiError) || error.code !== 'PRICE_CHANGED') return undefined
  const { totalPrice, due } = error
  return totalPrice === undefined || due === undefined ? undefined : { totalPrice, due }
}

const isPaidElsewhere = (error: Error | null) =>
  error instanceof ApiError && error.code === 'ALREADY_PAID'

function NotPayable({ message }: { message: string }) {
  return (
    <div role="alert" className="grid justify-items-start gap-4">
      <p className="text-danger">{message}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/#parts">See the parts</ButtonLink>
        {toOrders}
      </div>
    </div>
  )
}

function SandboxNote() {
  return (
    <p className="mt-6 border-line border-t pt-4 text-dim text-sm">
      Payments are simulated here: nothing is charged. Pay with the test card{' '}
      <span className="whitespace-nowrap font-mono text-ink">4242 4242 4242 4242</span>, any future
      date, any CVC and, where it asks for one, any ZIP code.
    </p>
  )
}

type PaymentProps = {
  payments: Shop['payments']
  /** The notice for a customer whose address is not verified. */
  verification: ReactNode
}

type PanelProps = PaymentProps & { order: Order; checkout: Checkout }

/** The card form of one order, or the outcome of its payment. */
function PaymentPanel({ order, checkout, payments, verification }: PanelProps) {
  const payment = usePayment(order, checkout)
  const stripe = useQuery({ ...stripeQuery(payments), enabled: payment.stage === 'form' })
  const { secret } = payment
  const leaving = useSignedOutBy(secret.error)
  const settling = useIsFetching({ queryKey: ['order', order._id] }) > 0
  if (payment.stage !== 'form') return <PaymentOutcome order={order} payment={payment} />
  // paid elsewhere: the refetched order will show it shortly
  if (isPaidElsewhere(secret.error) && settling) return <Skeleton className="h-72 w-full" />
  if (secret.error && isFinal(secret.error)) {
    const gone = isOfSeveral(order) ? goneIn(secret.error) : {}
    if (Object.keys(gone).length > 0) return <GoneLines order={order} gone={gone} />
    return <NotPayable message={secret.error.message} />
  }
  const newSums = newSumsIn(secret.error)
  if (newSums) {
    const agree = () => payment.agreeTo(newSums)
    return <PriceQuestion checkout={checkout} due={newSums.due} onAgree={agree} />
  }
  const failed = [secret, stripe].find((query) => query.isError && !query.isFetching)
  if (failed?.error && !leaving) {
    return (
      <>
        <ErrorState message={failed.error.message} onRetry={() => failed.refetch()} />
        {isUnverified(failed.error) && (
          <div className="flex flex-wrap items-center justify-center gap-4 pb-6">
            {verification}
          </div>
        )}
      </>
    )
  }
  if (!stripe.data) return <Skeleton className="h-72 w-full" />
  return (
    <>
      <PaymentDue order={{ ...order, checkoutTotal: payment.agreed.due }} />
      <Elements stripe={stripe.data}>
        <PaymentForm order={order} payment={payment} saysObligation={checkout.saysObligation} />
      </Elements>
      {payments.sandbox && <SandboxNote />}
    </>
  )
}

/** Adds a sandbox's script to the page unless its global already exists. */
function injectScript(src: string): Promise<void> {
  if ('Stripe' in window && window.Stripe) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('The card form could not be loaded. Check your connection and retry.'))
    }
    document.head.append(script)
  })
}

/**
 * The card provider's browser library, loaded once; the sandbox's script where the shop sets one.
 */
const stripeQuery = ({ publishableKey, scriptUrl }: Shop['payments']) =>
  queryOptions({
    queryKey: ['stripe', publishableKey],
    queryFn: async (): Promise<Stripe> => {
      if (scriptUrl) await injectScript(scriptUrl)
      const stripe = await loadStripe(publishableKey)
      if (!stripe) throw new Error('The card form can only be loaded in a browser')
      return stripe
    },
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
