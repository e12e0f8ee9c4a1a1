import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { isBookable } from '#contracts/catalogue.ts'
import { messages } from '#contracts/messages.ts'
import { type Currency, fewestUnits, totalPriceOf } from '#contracts/money.ts'
import { Phone } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import { type QueuePlace, waitProblem } from '#contracts/queue.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ApiError } from '#web/lib/api.ts'
import { duration, shortMoment } from '#web/lib/moments.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { useNow } from '#web/lib/use-now.ts'
import { usePhoneHint } from '#web/lib/use-phone-hint.ts'
import { expectedText, fewerText, inLine, secondsLeft, units } from './place-text.ts'
import { lengthQuery, placesQuery, useAcceptOffer, useJoinQueue, useLeaveQueue } from './queries.ts'

type Waited = Pick<Part, '_id' | 'name' | 'price' | 'minimumOrderQuantity' | 'availableQuantity'>
type Props = {
  part: Waited
  /** Prefills the offer's form. */
  phone: string | undefined
  /** The notice for a customer whose address is not verified. */
  verification: ReactNode
}

/** The error message below its form. */
function Refusal({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <p role="alert" className="text-danger text-sm">
      {error.message}
    </p>
  )
}

const WaitForm = (part: Waited, currency: Currency) =>
  z.object({
    quantity: z
      .string()
      .trim()
      .min(1, messages.quantityRequired)
      .regex(/^-?\d+$/, messages.quantityWhole)
      .transform(Number)
      .superRefine((quantity, issues) => {
        const message = waitProblem(quantity, part, currency)
        if (message) issues.addIssue({ code: 'custom', message })
      }),
  })

type Moved = { onMoved: () => void }

/** Asks for a quantity and joins the queue; with a place, changes the quantity. */
function JoinForm({
  part,
  place,
  verification,
  onMoved,
}: Omit<Props, 'phone'> & Moved & { place: QueuePlace | undefined }) {
  const currency = useCurrency()
  const join = useJoinQueue(onMoved)
  const { data: length } = useQuery(lengthQuery(part._id))
  const form = useForm({
    resolver: zodResolver(WaitForm(part, currency)),
    defaultValues: { quantity: String(fewestUnits(part, currency)) },
  })
  const fields = join.error instanceof ApiError ? join.error.fields : undefined
  const problem = form.formState.errors.quantity?.message ?? fields?.quantity
  const submit = form.handleSubmit(({ quantity }) => join.mutate({ partId: part._id, quantity }))
  return (
    <Form className="grid gap-y-1" onSubmit={submit}>
      <Field
        label="How many do you want?"
        inputMode="numeric"
        autoComplete="off"
        required
        className="max-w-60"
        error={problem}
        {...form.register('quantity')}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" loading={join.isPending}>
          {place ? 'Wait for this many' : 'Tell me when it’s back'}
        </Button>
        <p className="min-h-6 text-dim text-sm">
          {length && !place && `You’d be ${inLine(length.waiting + 1)}.`}
          {length?.expected && !place && ` ${expectedText(length.expected)}.`}
        </p>
      </div>
      {!fields && <Refusal error={join.error} />}
      {join.isUnverified && (
        <div className="flex flex-wrap items-center gap-4 pt-3">{verification}</div>
      )}
    </Form>
  )
}

function Leave({ place, text, onMoved }: Moved & { place: QueuePlace; text: string }) {
  const leave = useLeaveQueue(onMoved)
  return (
    <>
      <Button variant="quiet" loading={leave.isPending} onClick={() => leave.mutate(place)}>
        {text}
      </Button>
      <Refusal error={leave.error} />
    </>
  )
}

/** The offered units: the time left, and the form to book them. */
function Offer({
  place,
  phone,
  onMoved,
}: Moved & { place: QueuePlace; phone: string | undefined }) {
  const money = useMoney()
  const accept = useAcceptOffer()
  const client = useQueryClient()
  const navigate = useNavigate()
  const now = useNow(true)
  const left = secondsLeft(place, now)
  const form = useForm({
    resolver: zodResolver(z.object({ phone: Phone })),
    defaultValues: { phone: phone ?? '' },
  })
  useEffect(() => {
    if (phone && !form.getValues('phone')) form.resetField('phone', { defaultValue: phone })
  }, [phone, form])
  const isOver = left === 0
  useEffect(() => {
    if (isOver) void outdate(client, 'offerExpired')
  }, [isOver, client])
  const totalPrice = totalPriceOf(place.offerQuantity, place.price)
  const fewer = fewerText(place)
  const submit = form.handleSubmit(({ phone }) =>
    accept.mutate(
      { place, phone, totalPrice },
      {
        onSuccess: (id) => {
          toast('success', messages.orderBooked)
          void navigate(`/dashboard/payment/${id}`)
        },
      },
    ),
  )
  return (
    <Form className="grid gap-y-1" onSubmit={submit}>
      <p className="mb-3">
        We’re keeping {units(place.offerQuantity)} for you, {money(totalPrice)}
        {place.offerEndsAt && <>, until {shortMoment(place.offerEndsAt)}</>}.
        {left !== null && (
          <span
            className={`block font-mono text-sm tabular-nums ${left < 300 ? 'text-amber' : 'text-dim'}`}
          >
            {isOver ? 'This offer has ended.' : `${duration(left)} left`}
          </span>
        )}
      </p>
      {fewer && (
        <p className="mb-3 text-dim">
          You’re waiting for {units(place.quantity)}. {fewer}
        </p>
      )}
      <Field
        label="Phone"
        type="tel"
        autoComplete="tel"
        required
        hint={usePhoneHint()}
        error={form.formState.errors.phone?.message}
        {...form.register('phone')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={accept.isPending || accept.isSuccess}>
          Book it now
        </Button>
        <Leave place={place} text="I no longer want this" onMoved={onMoved} />
      </div>
      <p className="pt-2 text-dim text-sm">
        If you give this up or let it run out, others go ahead of you for a while.
      </p>
      <Refusal error={accept.error} />
    </Form>
  )
}

function headingOf(place: QueuePlace | undefined): string {
  if (!place) return 'Join the queue'
  return place.isOffered ? 'It’s set aside for you' : `You’re ${inLine(place.position)}`
}

function Waiting({ place, ...rest }: Omit<Props, 'phone'> & Moved & { place: QueuePlace }) {
  const isTooFew = place.quantity < rest.part.minimumOrderQuantity
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-dim">
        You’re waiting for {units(place.quantity)}.{' '}
        {isTooFew
          ? `The minimum order is now ${rest.part.minimumOrderQuantity}, so we can’t offer you any.`
          : `When it’s your turn, we’ll set ${units(place.offerQuantity)} aside for you and email you. ${fewerText(place) ?? ''}`}
        {place.expected && ` ${expectedText(place.expected)}.`}
      </p>
      {isTooFew && <JoinForm place={place} {...rest} />}
      <Leave place={place} text="Leave the queue" onMoved={rest.onMoved} />
    </div>
  )
}

/** The content of the panel; the heading takes the focus when a form disappears. */
function Panel({
  part,
  phone,
  verification,
  place,
  heading,
}: Props & { place: QueuePlace | undefined; heading: RefObject<HTMLHeadingElement | null> }) {
  const moved = { onMoved: () => heading.current?.focus() }
  if (!place) return <JoinForm part={part} verification={verification} place={place} {...moved} />
  if (place.isOffered) return <Offer place={place} phone={phone} {...moved} />
  return <Waiting part={part} verification={verification} place={place} {...moved} />
}

/**
 * For customers who wait for this part, have an offer, or could join: renders nothing while the
 * part is bookable and the user has no place.
 * @param children the sold-out notice, hidden while the user has an offer
 */
export function QueuePanel({ children, ...props }: Props & { children: ReactNode }) {
  const { part } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const { data: places } = useQuery(placesQuery)
  const place = places?.find(({ partId }) => partId === part._id)
  const isEmpty = !places || (!place && isBookable(part))
  return (
    <>
      {!place?.isOffered && children}
      {!isEmpty && (
        <section
          aria-labelledby="queue"
          className="not-last:mb-8 rounded-card border border-line p-5"
        >
          <h3
            id="queue"
            ref={heading}
            tabIndex={-1}
            className="mb-3 font-semibold text-xl tracking-tight"
          >
            {headingOf(place)}
          </h3>
          <p role="status" className="sr-only">
            {place?.isOffered && `${part.name} is set aside for you`}
          </p>
          <Panel {...props} place={place} heading={heading} />
        </section>
      )}
    </>
  )
}
