import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { type FormEvent, useState } from 'react'
import type { Order } from '#contracts/orders.ts'
import { Button } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import { CardField } from './card-field.tsx'
import { CardError } from './charge-card.ts'
import type { Payment } from './use-payment.ts'

const holdEnded =
  'The hold expired before the payment, so nothing was charged. The stock is held for you again: press Pay once more.'

/** What to say about the last try; the provider's own words where there are any. */
function problemOf({ charge, secret }: Payment): string | null {
  if (!charge.error) return null
  const stale = charge.error instanceof CardError && charge.error.isStale
  if (!stale) return charge.error.message
  return secret.isFetching ? null : holdEnded
}

/** The card and the Pay button. A failed try leaves the card as it is typed. */
export function PaymentForm({ order, payment }: { order: Order; payment: Payment }) {
  const stripe = useStripe()
  const elements = useElements()
  const [typing, setTyping] = useState<string | null>(null)
  const { charge, secret } = payment
  const ready = stripe && elements && secret.data && !secret.isFetching && !secret.isError
  const working = charge.isPending

  function pay(event: FormEvent) {
    event.preventDefault()
    const card = elements?.getElement(CardElement)
    if (!stripe || !card || !secret.data || !ready || working) return
    charge.mutate({ stripe, card, clientSecret: secret.data, payer: order })
  }

  function heardOfCard(problem: string | null) {
    setTyping(problem)
    if (charge.isError) charge.reset()
  }

  const problem = typing ?? problemOf(payment)
  return (
    <Form onSubmit={pay} className="grid gap-5">
      <CardField onProblem={heardOfCard} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button
          type="submit"
          disabled={!ready}
          loading={working}
          loadingText="Confirming…"
          className="w-full sm:w-auto"
        >
          Pay
        </Button>
        <span role="status" className="min-h-5 text-dim text-sm">
          {!ready && !working && 'loading'}
          {working && <span className="sr-only">Confirming…</span>}
        </span>
      </div>
      <p role="alert" className="min-h-6 text-danger text-sm">
        {problem}
      </p>
    </Form>
  )
}
