import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useEffectEvent } from 'react'
import { useForm } from 'react-hook-form'
import type { Part } from '#contracts/parts.ts'
import { ApiError } from '#web/lib/api.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { bookingFormSchema, totalOf } from './booking-form-schema.ts'
import { useBooking } from './use-booking.ts'

/** Whose account the order goes to. `phone` is what the form begins with; it may come later than the rest. */
export type Payer = { name: string; email: string; phone?: string | undefined }

/** The server's sentence about one field of the last booking. */
const refusalOf = (error: Error | null, field: string) =>
  error instanceof ApiError ? error.fields?.[field] : undefined

/**
 * The state of a booking form: what is typed, kept as a draft until it is booked; what is wrong with it; the total.
 * `problems.elsewhere` belongs to no field.
 */
export function useBookingForm(part: Part, user: Payer) {
  const form = useForm({
    resolver: zodResolver(bookingFormSchema(part)),
    mode: 'onTouched',
    defaultValues: { phone: user.phone ?? '', quantity: String(part.minimumOrderQuantity) },
  })
  const clearDraft = useDraft(form, `purchase ${part._id}`, user.email)
  const { submit, changed, error, pending } = useBooking(part, clearDraft)
  const { errors } = form.formState
  const lostRace = error instanceof ApiError && error.code === 'STOCK_GONE'

  // the part's figures moved while somebody was typing: the old sentence may be wrong now
  const judgeQuantity = useEffectEvent(async () => {
    const fits = await form.trigger('quantity')
    if (fits && lostRace) changed()
  })
  useEffect(() => {
    if (part) void judgeQuantity()
  }, [part])

  useEffect(() => {
    if (user.phone && !form.getValues('phone')) {
      form.resetField('phone', { defaultValue: user.phone })
    }
  }, [user.phone, form])

  // an error at a field disables the button: the focus goes to the field instead of nowhere
  const refusedField = (['quantity', 'phone'] as const).find((field) => refusalOf(error, field))
  useEffect(() => {
    if (refusedField) form.setFocus(refusedField)
  }, [refusedField, form])

  const problems = {
    quantity: errors.quantity?.message ?? refusalOf(error, 'quantity'),
    phone: errors.phone?.message ?? refusalOf(error, 'phone'),
    totalPrice: refusalOf(error, 'totalPrice'),
  }
  const isAboutField = Object.values(problems).some(Boolean)
  return {
    form,
    changed,
    pending,
    total: totalOf(form.watch('quantity'), part.price),
    problems: { ...problems, lostRace, elsewhere: isAboutField ? undefined : error?.message },
    isUnconfirmed: error instanceof ApiError && error.code === 'NOT_VERIFIED',
    // what was typed, not the resolver's numbers: the total is computed from the same text
    submit: form.handleSubmit(() => submit(form.getValues())),
  }
}
