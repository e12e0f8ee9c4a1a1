import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useId } from 'react'
import { useForm } from 'react-hook-form'
import { dollars } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { ApiError } from '#web/lib/api.ts'
import { type BookingFields, bookingFormSchema, totalOf } from './booking-form-schema.ts'
import { useBooking } from './use-booking.ts'

/** Whose account the order goes to. */
export type Payer = { name: string; email: string }

/** The server's sentence about one field of the last booking. */
const refusalOf = (error: Error | null, field: string) =>
  error instanceof ApiError ? error.fields?.[field] : undefined

/** Books a part: quantity and phone are typed, the rest is shown as it will be ordered. */
export function BookingForm({ part, user }: { part: Part; user: Payer }) {
  const { submit, changed, error, pending } = useBooking(part)
  const reasonId = useId()
  const form = useForm({
    resolver: zodResolver(bookingFormSchema(part)),
    mode: 'onTouched',
    defaultValues: { phone: '', quantity: String(part.minimumOrderQuantity) },
  })
  const { errors } = form.formState
  const typed = form.watch()
  const total = totalOf(typed.quantity, part.price)

  // the part's figures moved while somebody was typing: the old sentence may be wrong now
  useEffect(() => {
    if (part) void form.trigger('quantity')
  }, [part, form])

  const quantityError = errors.quantity?.message ?? refusalOf(error, 'quantity')
  const phoneError = errors.phone?.message ?? refusalOf(error, 'phone')
  const fieldError = quantityError ?? phoneError
  const elsewhere = error && !fieldError && !refusalOf(error, 'totalPrice') ? error.message : ''
  const quantity = form.register('quantity')

  return (
    <form
      noValidate
      className="grid gap-x-5 gap-y-1 sm:grid-cols-2"
      onChange={changed}
      // submit what was typed, not the resolver's numbers: the total is computed from the same text
      onSubmit={form.handleSubmit(() => submit(form.getValues() satisfies BookingFields))}
    >
      <Field
        label="Name"
        className="sm:col-span-2"
        value={user.name}
        readOnly
        autoComplete="name"
      />
      <Field
        label="Email"
        className="sm:col-span-2"
        value={user.email}
        readOnly
        autoComplete="email"
      />
      <Field
        label="Phone"
        className="sm:col-span-2"
        type="tel"
        autoComplete="tel"
        hint="Only for delivery questions about this order"
        error={phoneError}
        {...form.register('phone')}
      />
      <Field
        label="Quantity"
        inputMode="numeric"
        autoComplete="off"
        error={quantityError}
        {...quantity}
        onChange={async (event) => {
          await quantity.onChange(event)
          await form.trigger('quantity')
        }}
      />
      <Field
        label="Total price"
        value={total === null ? '—' : dollars(total)}
        readOnly
        error={refusalOf(error, 'totalPrice')}
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3 sm:col-span-2">
        <Button
          type="submit"
          disabled={Boolean(fieldError)}
          loading={pending}
          aria-describedby={reasonId}
        >
          Book now
        </Button>
        <p id={reasonId} role="status" className="min-w-0 flex-1 text-sm text-danger">
          {fieldError ?? elsewhere}
        </p>
      </div>
    </form>
  )
}
