import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod'
import { amountRule } from '#contracts/amount.ts'
import type { Checkout } from '#contracts/checkouts.ts'
import { type Currency, cents, fromCents, readAmount, sumOf } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { leftToRefund, RefundRequest, refundProblem } from '#contracts/refunds.ts'
import { Button } from '#web/components/button.tsx'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { useRefundCheckout } from './admin-queries.ts'
import { checkoutQuery } from './queries.ts'

/** What can still be refunded of the delivery of a paid checkout, with its tax. */
const leftOfShipping = ({ shipping: { paid, refunded } }: Checkout): number =>
  fromCents(cents(paid) - cents(refunded))

/** What can be refunded of a checkout: its orders that are not refunded in full, and the delivery. */
export type Refundable = { orders: Order[]; shipping: number }

export function refundableOf(checkout: Checkout): Refundable {
  const orders = checkout.orders.filter((order) => leftToRefund(order) > 0)
  const isPaid = checkout.orders.some(({ paid }) => paid)
  return { orders, shipping: isPaid ? leftOfShipping(checkout) : 0 }
}

/**
 * Parses the typed text as a number. An empty field gives undefined: nothing of that line is
 * refunded.
 */
const typedBy = (read: (text: string) => number) => (typed: string | number | undefined) =>
  String(typed ?? '').trim() === '' ? undefined : read(String(typed))

const { reason, restock } = RefundRequest.shape
const amount = amountRule('Amount', 0.01).optional()
const Typed = z.object({
  lines: z.array(z.object({ amount, restock })),
  shipping: amount,
  reason,
})
type Typed = z.input<typeof Typed>

/** The contract's rules, plus the limits of these orders: what is left to refund and the units. */
const rulesFor = ({ orders, shipping }: Refundable, currency: Currency) =>
  Typed.superRefine((typed, issues) => {
    const say = (path: (string | number)[], message: string | undefined) => {
      if (message) issues.addIssue({ code: 'custom', path, message })
    }
    for (const [i, order] of orders.entries()) {
      const { amount = 0, restock = 0 } = typed.lines[i] ?? {}
      say(['lines', i, 'amount'], refundProblem(amount, leftToRefund(order), currency))
      if (restock > 0 && amount === 0) say(['lines', i, 'amount'], 'Amount is required')
      if (restock > order.quantity)
        say(['lines', i, 'restock'], `Restock cannot be more than the ${order.quantity} booked`)
    }
    say(['shipping'], refundProblem(typed.shipping ?? 0, shipping, currency))
    if (typed.shipping === undefined && typed.lines.every(({ amount }) => amount === undefined))
      say(orders.length > 0 ? ['lines', 0, 'amount'] : ['shipping'], 'Amount is required')
  })

/** What a refund that settles a ticket begins with. */
export type OfTicket = {
  ticketId: string
  lines: { order: Order; amount: number; restock: number }[]
  shipping: number
  reason: string
}

type Props = { order: Order; ofTicket?: OfTicket; onClose: () => void }
type FormProps = Props & { checkoutId: string; left: Refundable }

/** The fields at first: those of the ticket, or all that is left of the order. */
function startOf({ order, left, ofTicket }: FormProps): Typed {
  const { orders, shipping } = left
  if (ofTicket) {
    const lines = orders.map(({ _id }) => {
      const line = ofTicket.lines.find((each) => each.order._id === _id)
      return { amount: line?.amount, restock: line?.restock ?? 0 }
    })
    return { lines, shipping: ofTicket.shipping || undefined, reason: ofTicket.reason }
  }
  return {
    lines: orders.map((line) => ({
      amount: line._id === order._id ? leftToRefund(line) : undefined,
      restock: 0,
    })),
    shipping: orders.length === 0 ? shipping : undefined,
    reason: '',
  }
}

function useRefundForm(props: FormProps) {
  const { order, checkoutId, left, ofTicket, onClose } = props
  const money = useMoney()
  const currency = useCurrency()
  const refund = useRefundCheckout()
  // retries with this key make one refund; a refused refund is void, so the next try gets a new key
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm<Typed, unknown, z.output<typeof Typed>>({
    resolver: zodResolver(rulesFor(left, currency)),
    defaultValues: startOf(props),
  })
  const send = form.handleSubmit(({ lines: typed, shipping, reason }) => {
    const lines = left.orders.flatMap(({ _id: orderId }, i) => {
      const { amount, restock = 0 } = typed[i] ?? {}
      return amount ? [{ orderId, amount, restock }] : []
    })
    const sum = sumOf([shipping ?? 0, ...lines.map(({ amount }) => amount)])
    const request = {
      ...{ reason, ...(ofTicket && { ticketId: ofTicket.ticketId }) },
      ...{ ...(lines.length > 0 && { lines }), ...(shipping && { shipping }) },
    }
    refund.mutate(
      { id: checkoutId, request, key },
      {
        onSuccess: ({ state }) => {
          const refundText = `${money(sum)} to ${order.customer}`
          if (state === 'succeeded') void toast('success', `Refunded ${refundText}`)
          else void toast('info', `The refund of ${refundText} is on its way`)
          onClose()
        },
        onError: (problem) => {
          if (problem instanceof ApiError && problem.code === 'REFUND_REFUSED')
            setKey(crypto.randomUUID())
        },
      },
    )
  })
  return { form, send, busy: refund.isPending, error: refund.error?.message }
}

type LineProps = { form: UseFormReturn<Typed, unknown, z.output<typeof Typed>>; i: number }

/** The amount of one order, and the units of it that go back on the shelf. */
function LineFields({ form, i, order }: LineProps & { order: Order }) {
  const currency = useCurrency()
  const errors = form.formState.errors.lines?.[i]
  return (
    <>
      <Field
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        error={errors?.amount?.message ?? ''}
        {...form.register(`lines.${i}.amount`, { setValueAs: typedBy(readAmount) })}
      />
      <Field
        label="Restock"
        hint={`Units that go back on the shelf, 0 to ${order.quantity}.`}
        inputMode="numeric"
        autoComplete="off"
        error={errors?.restock?.message ?? ''}
        {...form.register(`lines.${i}.restock`, { setValueAs: typedBy(Number) })}
      />
    </>
  )
}

/** Each order of the checkout and its delivery, and a button that takes all of it. */
function Several({ form, left }: { form: LineProps['form']; left: Refundable }) {
  const money = useMoney()
  const currency = useCurrency()
  function takeAll() {
    for (const [i, order] of left.orders.entries())
      form.setValue(`lines.${i}.amount`, leftToRefund(order))
    if (left.shipping > 0) form.setValue('shipping', left.shipping)
    form.clearErrors()
  }
  return (
    <>
      {left.orders.map((order, i) => (
        <fieldset key={order._id} className="mb-2">
          <legend className="wrap-anywhere font-semibold">
            {order.quantity} × {order.product}, {order.number}
          </legend>
          <p className="mb-2 text-dim text-sm">{money(leftToRefund(order))} can be refunded.</p>
          <LineFields form={form} i={i} order={order} />
        </fieldset>
      ))}
      {left.shipping > 0 && (
        <fieldset className="mb-2">
          <legend className="font-semibold">Delivery</legend>
          <p className="mb-2 text-dim text-sm">
            {money(left.shipping)} can be refunded, with its tax.
          </p>
          <Field
            label={`Amount in ${currency}`}
            inputMode="decimal"
            autoComplete="off"
            error={form.formState.errors.shipping?.message ?? ''}
            {...form.register('shipping', { setValueAs: typedBy(readAmount) })}
          />
        </fieldset>
      )}
      {left.orders.length + (left.shipping > 0 ? 1 : 0) > 1 && (
        <Button variant="quiet" className="mb-5" onClick={takeAll}>
          Refund all of it
        </Button>
      )}
    </>
  )
}

function RefundForm(props: FormProps) {
  const { order, left, onClose } = props
  const money = useMoney()
  const { form, send, busy, error } = useRefundForm(props)
  const [only, ...more] = left.orders
  const isOne = only !== undefined && more.length === 0 && left.shipping <= 0
  return (
    <FormDialog
      title="Refund"
      about={
        isOne
          ? `${only.quantity} × ${only.product} for ${only.customer}, ${money(leftToRefund(only))} can be refunded.`
          : `What ${order.customer} paid together. Leave empty what is not refunded.`
      }
      confirmText="Refund"
      busyText="Refunding…"
      busy={busy}
      error={error}
      onSubmit={send}
      onCancel={onClose}
    >
      {isOne ? <LineFields form={form} i={0} order={only} /> : <Several form={form} left={left} />}
      <Field
        label="Reason"
        hint="Only the shop reads it."
        autoComplete="off"
        error={form.formState.errors.reason?.message ?? ''}
        {...form.register('reason')}
      />
    </FormDialog>
  )
}

/**
 * Refunds a paid checkout in full or in part: amounts of its orders and of the delivery, with one
 * reason, as one refund. Begins with the order that it was opened for, or with what goes back by a
 * ticket, which it settles.
 */
export function RefundDialog({ order, ofTicket, onClose }: Props) {
  const { data: checkout, error } = useQuery(checkoutQuery(order))
  if (!checkout && !error) return null
  const left = checkout ? refundableOf(checkout) : { orders: [order], shipping: 0 }
  return <RefundForm {...{ order, ofTicket, left, onClose }} checkoutId={order.checkoutId} />
}
