import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { Phone, Quantity, quantityProblem } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { isUnconfirmed, partQuery, useBookPart } from './queries.ts'

/** What the form holds: text, as typed. What it sends: numbers. */
type BookingFields = { phone: string; quantity: string }

const Typed = z
  .string()
  .trim()
  .min(1, messages.quantityRequired)
  .regex(/^-?\d+$/, messages.quantityWhole)
  .transform(Number)

/** The booking form of one part: the contract's rules over typed text. */
const bookingFormSchema = (part: Part) =>
  z.object({
    phone: Phone,
    quantity: Typed.superRefine((quantity, context) => {
      const message =
        quantityProblem(quantity, part) ?? totalPriceProblem(totalPriceOf(quantity, part.price))
      if (message) context.addIssue({ code: 'custom', message })
    }).pipe(Quantity),
  })

/** Whole dollars for what is typed, or null while it is no number of units. */
function totalOf(quantity: string, price: number): number | null {
  const units = Typed.safeParse(quantity)
  return units.success && units.data > 0 ? totalPriceOf(units.data, price) : null
}

/** The part changed under the form: its figures are asked again, what was typed stays. */
const isStale = (error: Error) =>
  error instanceof ApiError && ['STOCK_GONE', 'PRICE_CHANGED', 'NOT_FOUND'].includes(error.code)

/**
 * Books a part and goes to pay for it. One idempotency key a try: the same booking sent twice is one order, a booking
 * changed after a refusal is a new one.
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
      if (error instanceof Error && isStale(error))
        void client.invalidateQueries(partQuery(part._id))
    }
  }

  /** After a refusal a changed form is another booking. */
  function changed() {
    if (!book.isError) return
    key.current = null
    book.reset()
  }

  return { submit, changed, error: book.error, pending: book.isPending || book.isSuccess }
}

/** Whose account the order goes to. `phone` is what the form begins with; it may come later than the rest. */
export type Payer = { name: string; email: string; phone?: string | undefined }

/** The server's sentence about one field of the last booking. */
const refusalOf = (error: Error | null, field: string) =>
  error instanceof ApiError ? error.fields?.[field] : undefined

/**
 * The state of a booking form: what is typed, a draft until it is booked; what is wrong with it; the total.
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

  // the part's stock changed while the customer was typing: the message may be wrong now
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
    isUnconfirmed: isUnconfirmed(error),
    // what was typed, not the resolver's numbers: the total is computed from the same text
    submit: form.handleSubmit(() => submit(form.getValues())),
  }
}
