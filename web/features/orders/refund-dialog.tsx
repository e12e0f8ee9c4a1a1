import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { dollars } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { leftToRefund, RefundRequest, refundProblem } from '#contracts/refunds.ts'
import { Field } from '#web/components/field.tsx'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useRefundOrder } from './admin-queries.ts'

type Props = { order: Order; onClose: () => void }

const asNumber = (typed: string | number) =>
  String(typed).trim() === '' ? undefined : Number(typed)

/** The form's rules: the contract's, and no more than is left of this order. */
const rulesFor = (order: Order) =>
  RefundRequest.superRefine(({ amount, restock }, issues) => {
    const tooMuch = refundProblem(amount, leftToRefund(order))
    if (tooMuch) issues.addIssue({ code: 'custom', path: ['amount'], message: tooMuch })
    if (restock > order.quantity) {
      const message = `Restock can not be more than the ${order.quantity} booked`
      issues.addIssue({ code: 'custom', path: ['restock'], message })
    }
  })

function useRefundForm(order: Order, onClose: () => void) {
  const refund = useRefundOrder()
  // however often it is sent, it is one refund; what was refused is none, and the next one is another
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm({
    resolver: zodResolver(rulesFor(order)),
    // money in cents was given back at the provider: the whole dollars of the rest
    defaultValues: { amount: Math.floor(leftToRefund(order)), reason: '', restock: 0 },
  })
  const send = form.handleSubmit((request) =>
    refund.mutate(
      { id: order._id, request, key },
      {
        onSuccess: ({ state }) => {
          const given = `${dollars(request.amount)} to ${order.customer}`
          if (state === 'succeeded') void toast('success', `Refunded ${given}`)
          else void toast('info', `The refund of ${given} is on its way`)
          onClose()
        },
        onError: (problem) => {
          if (problem instanceof ApiError && problem.code === 'REFUND_REFUSED')
            setKey(crypto.randomUUID())
        },
      },
    ),
  )
  return { form, send, busy: refund.isPending, error: refund.error?.message }
}

/** Gives money back for an order, all of it or a part, with a reason; units that came back go on the shelf. */
export function RefundDialog({ order, onClose }: Props) {
  const { form, send, busy, error } = useRefundForm(order, onClose)
  const { errors } = form.formState
  return (
    <FormDialog
      title="Refund"
      about={`${order.quantity} × ${order.product} for ${order.customer}, ${dollars(leftToRefund(order))} can be given back.`}
      confirmText="Refund"
      busyText="Refunding…"
      busy={busy}
      error={error}
      onSubmit={send}
      onCancel={onClose}
    >
      <Field
        label="Amount in dollars"
        inputMode="numeric"
        autoComplete="off"
        error={errors.amount?.message}
        {...form.register('amount', { setValueAs: asNumber })}
      />
      <Field
        label="Reason"
        hint="Only the shop reads it."
        autoComplete="off"
        error={errors.reason?.message}
        {...form.register('reason')}
      />
      <Field
        label="Restock"
        hint={`Units that go back on the shelf, 0 to ${order.quantity}.`}
        inputMode="numeric"
        autoComplete="off"
        error={errors.restock?.message}
        {...form.register('restock', { setValueAs: asNumber })}
      />
    </FormDialog>
  )
}
