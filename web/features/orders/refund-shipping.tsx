import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { amountRule } from '#contracts/amount.ts'
import { cents, fromCents, readAmount } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { RefundRequest, refundProblem } from '#contracts/refunds.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { useRefundShipping } from './admin-queries.ts'
import { checkoutQuery } from './queries.ts'

type DialogProps = { checkoutId: string; left: number; onClose: () => void }

function ShippingRefund({ checkoutId, left, onClose }: DialogProps) {
  const money = useMoney()
  const currency = useCurrency()
  const refund = useRefundShipping()
  // retries with this key make one refund; a refused refund is void
  const [key, setKey] = useState(() => crypto.randomUUID())
  const rules = z.object({
    shipping: amountRule('Amount', 0.01).superRefine((amount, issues) => {
      const problem = refundProblem(amount, left, currency)
      if (problem) issues.addIssue({ code: 'custom', message: problem })
    }),
    reason: RefundRequest.shape.reason,
  })
  const form = useForm({
    resolver: zodResolver(rules),
    defaultValues: { shipping: left, reason: '' },
  })
  const { errors } = form.formState
  const send = form.handleSubmit((typed) =>
    refund.mutate(
      { id: checkoutId, key, ...typed },
      {
        onSuccess: () => {
          void toast('success', `Refunded ${money(typed.shipping)} of the delivery`)
          onClose()
        },
        onError: (problem) => {
          if (problem instanceof ApiError && problem.code === 'REFUND_REFUSED')
            setKey(crypto.randomUUID())
        },
      },
    ),
  )
  return (
    <FormDialog
      title="Refund the delivery"
      about={`${money(left)} can be refunded, with its tax.`}
      confirmText="Refund"
      busyText="Refunding…"
      busy={refund.isPending}
      error={refund.error?.message}
      onSubmit={send}
      onCancel={onClose}
    >
      <Field
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoComplete="off"
        error={errors.shipping?.message}
        {...form.register('shipping', {
          setValueAs: (typed) =>
            String(typed).trim() === '' ? undefined : readAmount(String(typed)),
        })}
      />
      <Field
        label="Reason"
        hint="Only the shop reads it."
        autoComplete="off"
        error={errors.reason?.message}
        {...form.register('reason')}
      />
    </FormDialog>
  )
}

/** Refunds the delivery of a paid checkout; nothing when it cost nothing, or is refunded. */
export function RefundShipping({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false)
  const { data: checkout } = useQuery(checkoutQuery(order))
  if (!checkout || !order.paid) return null
  const { paid, refunded } = checkout.shipping
  const left = fromCents(cents(paid) - cents(refunded))
  if (left <= 0) return null
  return (
    <>
      <RowButton onClick={() => setOpen(true)}>Refund the delivery</RowButton>
      {isOpen && (
        <ShippingRefund checkoutId={checkout._id} left={left} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
