import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { type AdminPart, detailsOf, StockCorrection } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useEditPart } from './admin-queries.ts'
import { typedAs } from './part-form-schema.ts'

const Typed = z.object({
  change: typedAs(StockCorrection.shape.change),
  reason: StockCorrection.shape.reason,
})
const empty = { change: '', reason: '' }

/** What the correction would make of the stock, in words. */
function outcome({ onHand, reserved }: AdminPart, typed: string): string {
  const change = StockCorrection.shape.change.safeParse(typed.trim() === '' ? 0 : Number(typed))
  if (!change.success) return `${onHand} on hand now, ${reserved} of them held for orders.`
  const then = onHand + change.data
  if (then < reserved) {
    return `There are ${onHand}, and ${reserved} of them are held for orders: ${onHand - reserved} can go at the most.`
  }
  return `On hand ${onHand} → ${then}, ${reserved} of them held: ${then - reserved} available.`
}

function useCorrection(part: AdminPart) {
  const edit = useEditPart(part._id)
  const form = useForm({ resolver: zodResolver(Typed), mode: 'onTouched', defaultValues: empty })
  function correct(stock: StockCorrection) {
    if (edit.isPending) return
    edit.mutate(
      { ...detailsOf(part), version: part.version, stock },
      {
        onSuccess: () => {
          form.reset(empty)
          void toast('success', 'Stock corrected')
        },
      },
    )
  }
  return { edit, form, submit: form.handleSubmit(correct) }
}

/** The stock as it is, and its correction after a count: a difference with a reason, never a new number. */
export function StockCorrectionForm({ part }: { part: AdminPart }) {
  const { edit, form, submit } = useCorrection(part)
  const { errors } = form.formState
  const refused = edit.error instanceof ApiError ? edit.error.fields : undefined
  const isToldBelow = !refused?.['stock.change'] && !refused?.['stock.reason']
  return (
    <Form
      aria-labelledby="correction"
      onSubmit={submit}
      onChange={() => edit.isError && edit.reset()}
    >
      <h3 id="correction" className="font-semibold">
        Correct the stock
      </h3>
      <p className="mb-4 text-dim text-sm" aria-live="polite">
        {outcome(part, form.watch('change'))}
      </p>
      <div className="grid gap-x-5 sm:grid-cols-[10rem_1fr]">
        <Field
          label="Change"
          placeholder="+5 or -2"
          autoComplete="off"
          required
          {...form.register('change')}
          error={errors.change?.message ?? refused?.['stock.change']}
        />
        <Field
          label="Reason"
          placeholder="Counted, broken, delivery…"
          autoComplete="off"
          required
          {...form.register('reason')}
          error={errors.reason?.message ?? refused?.['stock.reason']}
        />
      </div>
      <Button type="submit" variant="quiet" loading={edit.isPending}>
        Correct stock
      </Button>
      <p role="alert" className="pt-3 text-danger text-sm empty:pt-0">
        {isToldBelow && edit.error?.message}
      </p>
    </Form>
  )
}
