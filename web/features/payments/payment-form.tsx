import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeCardElementOptions } from '@stripe/stripe-js'
import { type FormEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Order } from '#contracts/orders.ts'
import { Button } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { useMoney } from '#web/lib/use-money.ts'
import { CardError, type Payment } from './use-payment.ts'

const holdEnded =
  'The hold ended before the payment, so nothing was charged. The stock is held for you again: press Pay once more.'

/** The message for the last attempt; the provider's own message where there is one. */
function problemOf({ charge, secret }: Payment): string | null {
  if (!charge.error) return null
  const stale = charge.error instanceof CardError && charge.error.isStale
  if (!stale) return charge.error.message
  return secret.isFetching ? null : holdEnded
}

type Props = {
  order: Order
  payment: Payment
  /** Whether the button says what the law of the EU asks for. */
  saysObligation: boolean
}

/** The card input and the Pay button. A failed attempt keeps the typed card. */
export function PaymentForm({ order, payment, saysObligation }: Props) {
  const stripe = useStripe()
  const elements = useElements()
  const money = useMoney()
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

  /** What is said of the last card does not hold for the next one. */
  function forgetLast() {
    if (charge.isError) charge.reset()
  }

  function handleCardProblem(problem: string | null) {
    setTyping(problem)
    forgetLast()
  }

  const problem = typing ?? problemOf(payment)
  return (
    <Form onSubmit={pay} className="grid gap-2">
      <CardField onProblem={handleCardProblem} onEdit={forgetLast} />
      <Button
        type="submit"
        disabled={!ready}
        loading={working}
        loadingText="Confirming…"
        className={`mt-3 w-full sm:w-auto sm:justify-self-start ${saysObligation ? 'flex-col py-2' : ''}`}
      >
        Pay {money(payment.agreed.due)}
        {saysObligation && <span className="text-sm">Order with obligation to pay</span>}
      </Button>
      <div className="min-h-6">
        <span role="status" className="text-dim text-sm">
          {!ready && !working && 'loading'}
          {working && <span className="sr-only">Confirming…</span>}
        </span>
        <FormProblem said={problem} />
      </div>
    </Form>
  )
}

type CardStyle = NonNullable<StripeCardElementOptions['style']>

const colourOf = (element: Element | null | undefined) =>
  element ? getComputedStyle(element).color : undefined

/**
 * Reads the current colours from the page: card inputs are in a frame that our style sheet cannot
 * reach.
 */
function readStyle(probe: HTMLElement): CardStyle {
  const ink = colourOf(probe)
  const dim = colourOf(probe.querySelector('[data-colour=dim]'))
  const danger = colourOf(probe.querySelector('[data-colour=danger]'))
  const { fontFamily } = getComputedStyle(probe)
  return {
    base: {
      ...(ink && { color: ink, iconColor: ink }),
      fontFamily,
      fontSize: '16px',
      '::placeholder': { ...(dim && { color: dim }) },
    },
    invalid: { ...(danger && { color: danger, iconColor: danger }) },
  }
}

/**
 * The card input's style for the current theme; updated on each theme change.
 * @param probe an element in the page's text colour with `data-colour` children for `dim` and
 * `danger`
 */
function useCardStyle(probe: RefObject<HTMLElement | null>): CardStyle | undefined {
  const [style, setStyle] = useState<CardStyle>()
  // before the first paint: the frame then has its height, so nothing below it moves
  useLayoutEffect(() => {
    const read = () => probe.current && setStyle(readStyle(probe.current))
    read()
    const themeSwitch = new MutationObserver(read)
    themeSwitch.observe(document.documentElement, { attributes: true })
    const systemTheme = matchMedia('(prefers-color-scheme: dark)')
    systemTheme.addEventListener('change', read)
    return () => {
      themeSwitch.disconnect()
      systemTheme.removeEventListener('change', read)
    }
  }, [probe])
  return style
}

type CardFieldProps = {
  /** Called with each error while the customer types. */
  onProblem: (message: string | null) => void
  /**
   * Called when the field gets the focus: the provider reports no change from one whole card to
   * another of its brand.
   */
  onEdit: () => void
}

/** The provider's card input with our label and the theme's colours. */
function CardField({ onProblem, onEdit }: CardFieldProps) {
  const id = useId()
  const probe = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(false)
  const style = useCardStyle(probe)
  return (
    <div ref={probe} className="text-ink">
      <label htmlFor={id} className="field-label mb-1.5">
        Card
      </label>
      <span hidden data-colour="dim" className="text-dim" />
      <span hidden data-colour="danger" className="text-danger" />
      <div
        className={`min-h-12 rounded-xl border bg-card px-4 py-3 ${focused ? 'border-copper outline-2 outline-copper' : 'border-edge'}`}
      >
        {style && (
          <CardElement
            id={id}
            options={{ style }}
            onFocus={() => {
              setFocused(true)
              onEdit()
            }}
            onBlur={() => setFocused(false)}
            onChange={({ error }) => onProblem(error?.message ?? null)}
          />
        )}
      </div>
    </div>
  )
}
