import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Minus, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { type Currency, fewestUnits, totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { Phone, Quantity, quantityProblem } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { DeliveryOffer } from '#web/components/delivery-offer.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { PriceNote } from '#web/components/price-note.tsx'
import { ApiError } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { isUnverified } from '#web/lib/refusals.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { usePhoneHint } from '#web/lib/use-phone-hint.ts'
import { limitQuery, useBookPart } from './queries.ts'

type QuantityStepsProps = {
  /** The text as typed. */
  quantity: string
  min: number
  max: number
  onStep: (quantity: number) => void
}

/** Buttons for one unit less and one unit more, within the bookable range. */
function QuantitySteps({ quantity, min, max, onStep }: QuantityStepsProps) {
  const typed = /^\d+$/.test(quantity.trim()) ? Number(quantity) : null
  const steps = [
    { name: 'One fewer', Icon: Minus, to: (typed ?? min + 1) - 1 },
    { name: 'One more', Icon: Plus, to: (typed ?? min - 1) + 1 },
  ]
  // outside the range, a step goes to the nearest limit
  const within = (units: number) => Math.max(min, Math.min(max, units))
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

/** The bookable range, and the stock where it is larger than the range. */
function rangeText(min: number, max: number, available: number): string {
  const range = max > min ? `From ${min} to ${max}` : `Exactly ${min}`
  return max < available ? `${range} for now, of ${available} in stock` : range
}

const tooLate = 'Another customer was faster, nothing was booked.'

/** The customer of the order, read from the account. */
export function Customer({ user }: { user: BookingUser }) {
  const line = { readOnly: true, className: 'field-compact sm:col-span-2' }
  return (
    <>
      <Field label="Name" value={user.name} autoComplete="name" {...line} />
      <Field label="Email" value={user.email} autoComplete="email" {...line} />
    </>
  )
}

export type Booker = {
  user: BookingUser
  /** The notice for a customer whose address is not verified. */
  verification: ReactNode
}

/** Books a part. The customer types quantity and phone; the rest is read-only. */
export function BookingForm({ part, user, verification }: Booker & { part: Part }) {
  const money = useMoney()
  const booking = useBookingForm(part, user)
  const { form, submit, changed, pending, total, problems } = booking
  const [phoneId, quantityId] = [useId(), useId()]
  const quantity = form.register('quantity')
  const typedQuantity = form.watch('quantity')
  const min = fewestUnits(part, useCurrency())
  const { availableQuantity: available } = part
  const { data: limit } = useQuery(limitQuery(part._id))
  // a limit below the minimum is left to the server, whose error message explains it
  const max = limit && limit.most >= min ? Math.min(available, limit.most) : available

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
        hint={usePhoneHint()}
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
        hint={rangeText(min, max, available)}
        error={problems.quantity}
        end={<QuantitySteps quantity={typedQuantity} min={min} max={max} onStep={step} />}
        {...quantity}
        onChange={async (event) => {
          await quantity.onChange(event)
          await form.trigger('quantity')
        }}
      />
      <Field
        label="Total price"
        hint={`${money(part.price)} each`}
        value={total === null ? '—' : money(total)}
        readOnly
        error={problems.totalPrice}
      />
      <div className="sm:col-span-2">
        <PriceNote />
        {total !== null && (
          <DeliveryOffer lines={[{ part, quantity: Number(typedQuantity) }]} className="mb-2" />
        )}
      </div>
      <div className="sm:col-span-2">
        {/* the space is reserved: the limit arrives shortly after the form */}
        <p className="mb-2 min-h-10 text-dim text-sm sm:min-h-5">
          {max < available &&
            `The other ${available - max} stay free for others until you have paid.`}
        </p>
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
      <FormProblem
        said={problems.lostRace ? tooLate : problems.elsewhere}
        className="pt-1 empty:pt-0 sm:col-span-2"
      >
        {problems.lostRace && <p className="font-semibold">{tooLate}</p>}
        {problems.elsewhere && (
          <>
            {!booking.isUnverified && <p className="font-semibold">{messages.orderFailed}</p>}
            {problems.elsewhere !== messages.orderFailed && <p>{problems.elsewhere}</p>}
          </>
        )}
      </FormProblem>
      {booking.isUnverified && (
        <div className="flex flex-wrap items-center gap-4 pt-3 sm:col-span-2">{verification}</div>
      )}
    </Form>
  )
}

/** The fields hold typed text; the request sends numbers. */
type BookingFields = { phone: string; quantity: string }

const Typed = z
  .string()
  .trim()
  .min(1, messages.quantityRequired)
  .regex(/^-?\d+$/, messages.quantityWhole)
  .transform(Number)

/** The booking form's schema for one part: the contract's rules applied to typed text. */
const bookingFormSchema = (part: Part, currency: Currency) =>
  z.object({
    phone: Phone,
    quantity: Typed.superRefine((quantity, context) => {
      const message =
        quantityProblem(quantity, part) ??
        totalPriceProblem(totalPriceOf(quantity, part.price), currency)
      if (message) context.addIssue({ code: 'custom', message })
    }).pipe(Quantity),
  })

/** The total for the typed quantity, or null while it is not a positive whole number. */
function totalOf(quantity: string, price: number): number | null {
  const units = Typed.safeParse(quantity)
  return units.success && units.data > 0 ? totalPriceOf(units.data, price) : null
}

/**
 * Whether the part changed after the form was loaded. Its figures are refetched; the typed values
 * stay.
 */
const isStale = (error: Error) =>
  error instanceof ApiError && ['STOCK_GONE', 'PRICE_CHANGED', 'NOT_FOUND'].includes(error.code)

/**
 * Books a part and opens its payment page. Each attempt has one idempotency key: a repeated booking
 * makes one order, and a booking changed after a refusal makes a new one.
 * @param onBooked called before the page changes
 */
function useBooking(part: Part, onBooked: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const book = useBookPart()
  useSignedOutBy(book.error)
  const key = useRef<string>(null)

  async function submit({ phone, quantity }: BookingFields) {
    key.current ??= crypto.randomUUID()
    const totalPrice = totalPriceOf(Number(quantity), part.price)
    const booking = {
      partId: part._id,
      product: part.name,
      quantity: Number(quantity),
      phone,
      totalPrice,
    }
    try {
      const insertedId = await book.mutateAsync({ booking, idempotencyKey: key.current })
      key.current = null
      onBooked()
      toast('success', messages.orderBooked)
      await navigate(`/dashboard/payment/${insertedId}`)
    } catch (error) {
      if (error instanceof Error && isStale(error)) void outdate(client, 'bookPartRefused')
    }
  }

  /** A form changed after a refusal is a new booking. */
  function changed() {
    if (!book.isError) return
    key.current = null
    book.reset()
  }

  return { submit, changed, error: book.error, pending: book.isPending || book.isSuccess }
}

/** The customer's account. `phone` prefills the form and may arrive later than the rest. */
type BookingUser = { name: string; email: string; phone?: string | undefined }

/** The server's message about one field of the last booking. */
const refusalOf = (error: Error | null, field: string) =>
  error instanceof ApiError ? error.fields?.[field] : undefined

/**
 * The state of a booking form: fields (kept as a draft until booked), problems, total.
 * `problems.elsewhere` belongs to no field.
 */
function useBookingForm(part: Part, user: BookingUser) {
  const currency = useCurrency()
  const form = useForm({
    resolver: zodResolver(bookingFormSchema(part, currency)),
    mode: 'onTouched',
    defaultValues: {
      phone: user.phone ?? '',
      quantity: String(fewestUnits(part, currency)),
    },
  })
  const clearDraft = useDraft(form, `purchase ${part._id}`, user.email)
  const { submit, changed, error, pending } = useBooking(part, clearDraft)
  const { errors } = form.formState
  const lostRace = error instanceof ApiError && error.code === 'STOCK_GONE'

  // the part's stock changed while the customer was typing: the message may now be wrong
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

  // an error in a field disables the button: move the focus to that field so that it is not lost
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
    isUnverified: isUnverified(error),
    // the typed text, not the resolver's numbers: the total is computed from the same text
    submit: form.handleSubmit(() => submit(form.getValues())),
  }
}
