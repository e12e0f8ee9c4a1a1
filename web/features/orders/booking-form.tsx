import { Minus, Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { messages } from '#contracts/messages.ts'
import { dollars } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { type Payer, useBookingForm } from './use-booking-form.ts'

type QuantityStepsProps = {
  /** As typed. */
  quantity: string
  least: number
  most: number
  onStep: (quantity: number) => void
}

/** One unit less, one unit more, within what can be booked. */
function QuantitySteps({ quantity, least, most, onStep }: QuantityStepsProps) {
  const typed = /^\d+$/.test(quantity.trim()) ? Number(quantity) : null
  const steps = [
    { name: 'One fewer', Icon: Minus, to: (typed ?? least + 1) - 1 },
    { name: 'One more', Icon: Plus, to: (typed ?? least - 1) + 1 },
  ]
  // from beyond a limit a step leads back to it
  const within = (units: number) => Math.max(least, Math.min(most, units))
  return steps.map(({ name, Icon, to }) => {
    const isOff = within(to) === typed
    return (
      <button
        key={name}
        type="button"
        aria-label={name}
        aria-disabled={isOff || undefined}
        onClick={() => isOff || onStep(within(to))}
        className="icon-button aria-disabled:cursor-not-allowed aria-disabled:opacity-40"
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    )
  })
}

/** Whose order it will be, as the account says. */
function Customer({ user }: { user: Payer }) {
  const line = { readOnly: true, className: 'field-compact sm:col-span-2' }
  return (
    <>
      <Field label="Name" value={user.name} autoComplete="name" {...line} />
      <Field label="Email" value={user.email} autoComplete="email" {...line} />
    </>
  )
}

export type Booker = {
  user: Payer
  /** What helps a customer whose address is not confirmed. */
  confirmation: ReactNode
}

/** Books a part: quantity and phone are typed, the rest is shown as it will be ordered. */
export function BookingForm({ part, user, confirmation }: Booker & { part: Part }) {
  const booking = useBookingForm(part, user)
  const { form, submit, changed, pending, total, problems } = booking
  const [phoneId, quantityId] = [useId(), useId()]
  const quantity = form.register('quantity')
  const { minimumOrderQuantity: least, availableQuantity: most } = part

  function step(units: number) {
    form.setValue('quantity', String(units), { shouldDirty: true, shouldValidate: true })
    changed()
  }

  return (
    <Form className="grid gap-x-5 gap-y-1 sm:grid-cols-2" onChange={changed} onSubmit={submit}>
      <Customer user={user} />
      <Field
        label="Phone"
        id={phoneId}
        className="mt-4 sm:col-span-2"
        type="tel"
        autoComplete="tel"
        required
        hint="We call this number to agree where and when to deliver"
        error={problems.phone}
        {...form.register('phone')}
      />
      <Field
        label="Quantity"
        id={quantityId}
        className="[&_.input]:pe-24 sm:[&_.field-error]:whitespace-nowrap"
        inputMode="numeric"
        autoComplete="off"
        required
        hint={most > least ? `From ${least} to ${most}` : `Exactly ${least}`}
        error={problems.quantity}
        end={
          <QuantitySteps
            quantity={form.watch('quantity')}
            least={least}
            most={most}
            onStep={step}
          />
        }
        {...quantity}
        onChange={async (event) => {
          await quantity.onChange(event)
          await form.trigger('quantity')
        }}
      />
      <Field
        label="Total price"
        hint={`${dollars(part.price)} each`}
        value={total === null ? '—' : dollars(total)}
        readOnly
        error={problems.totalPrice}
      />
      <div className="mt-2 sm:col-span-2">
        <Button
          type="submit"
          disabled={Boolean(problems.quantity ?? problems.phone)}
          loading={pending}
          aria-describedby={`${problems.quantity ? quantityId : phoneId}-error`}
          className="w-full sm:w-auto"
        >
          Book now
        </Button>
      </div>
      <div role="alert" className="pt-2 text-danger text-sm empty:pt-0 sm:col-span-2">
        {problems.lostRace && (
          <p className="font-semibold">Another customer was faster, nothing was booked.</p>
        )}
        {problems.elsewhere && (
          <>
            <p className="font-semibold">{messages.orderFailed}</p>
            {problems.elsewhere !== messages.orderFailed && <p>{problems.elsewhere}</p>}
          </>
        )}
      </div>
      {booking.isUnconfirmed && (
        <div className="flex flex-wrap items-center gap-4 pt-3 sm:col-span-2">{confirmation}</div>
      )}
    </Form>
  )
}
