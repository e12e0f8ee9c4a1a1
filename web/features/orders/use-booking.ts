import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { messages } from '#contracts/messages.ts'
import { totalPriceOf } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import type { BookingFields } from './booking-form-schema.ts'
import { partQuery, useBookPart } from './queries.ts'

/** The part changed under the form: its figures are asked again, what was typed stays. */
const isStale = (error: Error) =>
  error instanceof ApiError && ['STOCK_GONE', 'PRICE_CHANGED', 'NOT_FOUND'].includes(error.code)

/**
 * Books a part and goes to pay for it. One idempotency key a try: the same booking sent twice is one order, a booking
 * changed after a refusal is a new one.
 * @param onBooked told before the page changes
 */
export function useBooking(part: Part, onBooked: () => void) {
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
