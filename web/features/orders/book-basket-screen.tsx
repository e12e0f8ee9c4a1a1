import '#web/styles/basket.css'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { z } from 'zod'
import {
  type BasketLine,
  basketPath,
  basketText,
  basketTotal,
  withQuantity,
} from '#contracts/basket.ts'
import type { BasketPart } from '#contracts/compare.ts'
import { fitPartsOf, judge } from '#contracts/fit.ts'
import { messages } from '#contracts/messages.ts'
import { totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { Phone, quantityProblem } from '#contracts/orders.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ChangeLink } from '#web/components/change-link.tsx'
import { DeliveryOffer } from '#web/components/delivery-offer.tsx'
import { Field } from '#web/components/field.tsx'
import { FitMark } from '#web/components/fit-mark.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { Picture } from '#web/components/picture.tsx'
import { PriceNote } from '#web/components/price-note.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError, isRefusal } from '#web/lib/api-error.ts'
import { keepBasket, keptBasket } from '#web/lib/basket.ts'
import { basketPartsQuery } from '#web/lib/basket-parts.ts'
import { outdate } from '#web/lib/outdated.ts'
import { isUnverified } from '#web/lib/refusals.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { usePhoneHint } from '#web/lib/use-phone-hint.ts'
import { type Booker, Customer } from './booking-form.tsx'
import { limitQuery, useBookParts } from './queries.ts'
import { useWhyNone } from './use-why-none.ts'

type Line = BasketLine & {
  part: BasketPart | undefined
  /** How many the customer could book now, if that is known. */
  most?: number | undefined
}

/** Why a line cannot be booked: the server's refusal, the stock, or the customer's limit. */
function problemOf({ part, quantity, most }: Line, refusal: string | undefined) {
  if (!part) return 'This part is no longer sold.'
  const problem = refusal ?? quantityProblem(quantity, part)
  if (problem || most === undefined || most >= quantity) return problem
  // a limit below the minimum is left to the server, whose error message explains it
  return most < part.minimumOrderQuantity
    ? undefined
    : `For now you can book ${most} of it: the others stay free until you have paid.`
}

/** Adds the customer's limit to lines of more than the minimum, and to refused ones. */
function useLimits(lines: Line[], refused: Record<string, string> | undefined): Line[] {
  const limits = useQueries({
    queries: lines.map(({ part, quantity }, i) => ({
      ...limitQuery(part?._id ?? ''),
      enabled: part
        ? quantity > part.minimumOrderQuantity || refused?.[`lines.${i}`] !== undefined
        : false,
    })),
  })
  return lines.map((line, i) => ({ ...line, most: limits[i]?.data?.most }))
}

/** The address that books these lines. */
const bookingOf = (lines: BasketLine[]) =>
  lines.length > 0 ? `/purchase?parts=${basketText(lines)}` : '/basket'

type RowProps = { line: Line; lines: BasketLine[]; problem: string | undefined }

function LineRow({ line, lines, problem }: RowProps) {
  const money = useMoney()
  const { part, quantity, number, most } = line
  const name = part?.name ?? `Part ${number}`
  const none = useWhyNone(part)
  const available = part && !none ? part.availableQuantity : 0
  const left = Math.min(available, most ?? available)
  return (
    <li className="order-line">
      <div className="thumb">
        {part && <Picture src={part.image} facts={part.picture} alt="" sizes="56px" />}
      </div>
      <div className="min-w-0">
        <p className="break-words font-semibold">{name}</p>
        <p className="font-mono text-dim text-sm tabular-nums">
          {quantity} × {part ? money(part.price) : '—'}
        </p>
      </div>
      <p className="font-mono tabular-nums">
        {part ? money(totalPriceOf(quantity, part.price)) : '—'}
      </p>
      {problem && (
        <div className="line-notes">
          <p tabIndex={-1} className="text-danger text-sm">
            {none?.why ?? problem}
          </p>
          {left > 0 && left < quantity && (
            <ChangeLink to={bookingOf(withQuantity(lines, number, left))}>Take {left}</ChangeLink>
          )}
          <ChangeLink to={bookingOf(withQuantity(lines, number, 0))} aria-label={`Remove ${name}`}>
            Remove
          </ChangeLink>
        </div>
      )}
    </li>
  )
}

const BookingFields = z.object({ phone: Phone })

/** The parts have changed since the form was shown: refetches them, and keeps what was typed. */
const isStale = (error: unknown) =>
  error instanceof ApiError && ['STOCK_GONE', 'PRICE_CHANGED', 'INVALID'].includes(error.code)

type BookingProps = Booker & {
  lines: Line[]
  total: number
  /** The address is to be confirmed first: several parts are booked together. */
  isTooEarly: boolean
  book: ReturnType<typeof useBookParts>
}

/**
 * Books all lines and opens their payment. Each try has one idempotency key, as for a single part.
 * Booked lines leave the basket; refused ones stay.
 */
function useBooking({ lines, total, user, book }: BookingProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  useSignedOutBy(book.error)
  const key = useRef<string>(null)
  const form = useForm({
    resolver: zodResolver(BookingFields),
    mode: 'onTouched',
    defaultValues: { phone: user.phone ?? '' },
  })
  const clearDraft = useDraft(form, 'purchase basket', user.email)
  useEffect(() => {
    if (user.phone && !form.getValues('phone'))
      form.resetField('phone', { defaultValue: user.phone })
  }, [user.phone, form])

  async function submit({ phone }: { phone: string }) {
    key.current ??= crypto.randomUUID()
    const wanted = lines.map(({ part, quantity }) => ({ partId: part?._id ?? '', quantity }))
    const booking = { lines: wanted, phone, totalPrice: total }
    try {
      const { orderIds } = await book.mutateAsync({ booking, idempotencyKey: key.current })
      key.current = null
      clearDraft()
      const booked = new Set(lines.map(({ number }) => number))
      keepBasket(keptBasket().filter(({ number }) => !booked.has(number)))
      toast('success', messages.orderBooked)
      // Back leads to the basket: this page would book the same again
      await navigate(`/dashboard/payment/${orderIds[0]}`, { replace: true })
    } catch (error) {
      // after a refusal the next try is a new booking; after a lost response it is the same one
      if (isRefusal(error)) key.current = null
      if (isStale(error)) void outdate(client, 'bookPartsRefused')
    }
  }
  return { form, submit: form.handleSubmit(() => submit(form.getValues())) }
}

/** Says before the booking what it needs, and how to go on. */
function Unconfirmed({ id, user, verification }: Booker & { id: string }) {
  return (
    <div id={id} className="mb-5 grid gap-3 confirm-first sm:col-span-2">
      <p className="text-pretty">
        <strong>Confirm your email address to book several parts at once.</strong> We mailed a link
        to <span className="wrap-anywhere">{user.email}</span>: follow it on any device, and you can
        book here. Until then you can book one part.
      </p>
      <div className="flex flex-wrap items-center gap-4">{verification}</div>
    </div>
  )
}

/** What keeps these parts from fitting together. */
function whyNotFitting(lines: Line[]): string[] {
  const { verdicts, result } = judge(fitPartsOf(lines))
  if (result !== 'problem') return []
  return verdicts.flatMap(({ level, text }) => (level === 'problem' ? [text] : []))
}

function BookingForm(props: BookingProps & { isFine: boolean }) {
  const { user, verification, lines, total, isFine, isTooEarly, book } = props
  const noticeId = useId()
  const money = useMoney()
  const { form, submit } = useBooking(props)
  const { error } = book
  const problem = totalPriceProblem(total, useCurrency())
  const notFitting = whyNotFitting(lines)
  const [isSure, setSure] = useState(false)
  const said = error instanceof ApiError && error.fields?.phone ? undefined : error?.message
  return (
    <Form className="grid gap-x-5 gap-y-1 sm:grid-cols-2" onSubmit={submit}>
      {isTooEarly && <Unconfirmed id={noticeId} user={user} verification={verification} />}
      <Customer user={user} />
      <Field
        label="Phone"
        className="mt-4 sm:col-span-2"
        type="tel"
        autoComplete="tel"
        required
        hint={usePhoneHint()}
        error={
          form.formState.errors.phone?.message ??
          (error instanceof ApiError ? error.fields?.phone : undefined)
        }
        {...form.register('phone')}
      />
      {notFitting.length > 0 && (
        <div className="my-4 grid gap-2 confirm-first sm:col-span-2">
          {notFitting.map((text) => (
            <FitMark key={text} level="problem" text={text} />
          ))}
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0"
              checked={isSure}
              onChange={({ currentTarget }) => setSure(currentTarget.checked)}
            />
            Book them anyway
          </label>
        </div>
      )}
      <div className="sm:col-span-2">
        <PriceNote />
        <DeliveryOffer lines={lines} className="mb-2" />
        <Button
          type="submit"
          disabled={
            !isFine || problem !== undefined || isTooEarly || (notFitting.length > 0 && !isSure)
          }
          aria-describedby={isTooEarly ? noticeId : undefined}
          loading={book.isPending || book.isSuccess}
          className="w-full sm:w-auto"
        >
          Book all · {money(total)}
        </Button>
      </div>
      <FormProblem said={said ?? problem} className="pt-1 empty:pt-0 sm:col-span-2" />
      {error instanceof ApiError && error.code === 'TOO_MANY' && (
        <p className="sm:col-span-2">
          <Link to="/dashboard/myOrders" className="link inline-flex min-h-11 items-center">
            My orders
          </Link>
        </p>
      )}
      {isUnverified(error) && !isTooEarly && (
        <div className="flex flex-wrap items-center gap-4 pt-3 sm:col-span-2">{verification}</div>
      )}
    </Form>
  )
}

type ScreenProps = Booker & {
  lines: BasketLine[]
  /** Whether the address is confirmed; undefined until it is known. */
  isVerified: boolean | undefined
}

/** Books the parts of a basket together: its lines, and one form for all of them. */
export function BookBasketScreen({ lines, isVerified, ...booker }: ScreenProps) {
  const { data, error, refetch } = useQuery(basketPartsQuery(lines))
  const leaving = useSignedOutBy(error)
  const book = useBookParts()
  const money = useMoney()
  const refused = book.error instanceof ApiError ? book.error.fields : undefined
  const list = useRef<HTMLUListElement>(null)
  // a refused line disables the button, so the focus goes to its message
  useEffect(() => {
    if (refused) list.current?.querySelector<HTMLElement>('[tabindex]')?.focus()
  }, [refused])
  const wanted = useLimits(
    lines.map((line) => ({
      ...line,
      part: data?.parts.find(({ number }) => number === line.number),
    })),
    refused,
  )
  if (lines.length === 0) {
    return (
      <EmptyState
        heading="h1"
        title="Your basket is empty"
        action={<ButtonLink to="/parts">See the parts</ButtonLink>}
      >
        Add parts to it, and book and pay them together.
      </EmptyState>
    )
  }
  if (!data && error && !leaving)
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  const problems = wanted.map((line, i) => problemOf(line, refused?.[`lines.${i}`]))
  const total = basketTotal(wanted)
  return (
    <>
      <h1 tabIndex={-1} className="mb-6 text-4xl font-bold tracking-tight">
        Book your basket
      </h1>
      <div className="grid items-start gap-6 lg:grid-cols-[1.1fr_1fr] lg:gap-10" aria-busy={!data}>
        <section aria-label="Parts">
          {data ? (
            <>
              <ul ref={list}>
                {wanted.map((line, i) => (
                  <LineRow key={line.number} line={line} lines={lines} problem={problems[i]} />
                ))}
              </ul>
              <p className="order-sum">
                Total price <span className="font-mono tabular-nums">{money(total)}</span>
              </p>
              <p className="mt-3">
                <Link to={basketPath(lines)} className="link inline-flex min-h-11 items-center">
                  Change the basket
                </Link>
              </p>
            </>
          ) : (
            <Skeleton className="h-96 w-full" />
          )}
        </section>
        {data && isVerified !== undefined ? (
          <section aria-label="Booking" className="card p-6 sm:p-8">
            <BookingForm
              {...booker}
              book={book}
              lines={wanted}
              total={total}
              isTooEarly={lines.length > 1 && !isVerified}
              isFine={problems.every((problem) => !problem)}
            />
          </section>
        ) : (
          <Skeleton className="h-96 w-full" />
        )}
      </div>
    </>
  )
}
