import { useId } from 'react'
import { messages } from '#contracts/messages.ts'
import { dollars } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { type Payer, useBookingForm } from './use-booking-form.ts'

/** Books a part: quantity and phone are typed, the rest is shown as it will be ordered. */
export function BookingForm({ part, user }: { part: Part; user: Payer }) {
  const { form, submit, changed, pending, total, problems } = useBookingForm(part, user)
  const reasonId = useId()
  const reason = problems.quantity ?? problems.phone
  const quantity = form.register('quantity')
  return (
    <Form className="grid gap-x-5 gap-y-1 sm:grid-cols-2" onChange={changed} onSubmit={submit}>
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
        required
        hint="Only for delivery questions about this order"
        error={problems.phone}
        {...form.register('phone')}
      />
      <Field
        label="Quantity"
        className="sm:[&_.field-error]:whitespace-nowrap"
        inputMode="numeric"
        autoComplete="off"
        required
        error={problems.quantity}
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
        error={problems.totalPrice}
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3 sm:col-span-2">
        <Button
          type="submit"
          disabled={Boolean(reason)}
          loading={pending}
          aria-describedby={reasonId}
        >
          Book now
        </Button>
        {/* for the eye: a screen reader heard it at the field, and hears it with the button */}
        <p id={reasonId} aria-hidden="true" className="min-w-0 flex-1 text-sm text-danger">
          {reason}
        </p>
      </div>
      <div role="alert" className="pt-2 text-danger text-sm empty:pt-0 sm:col-span-2">
        {problems.elsewhere && (
          <>
            <p className="font-semibold">{messages.orderFailed}</p>
            {problems.elsewhere !== messages.orderFailed && <p>{problems.elsewhere}</p>}
          </>
        )}
      </div>
    </Form>
  )
}
