import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { Checkout } from '#contracts/checkouts.ts'
import { dayText } from '#contracts/dispatch.ts'
import type { Order } from '#contracts/orders.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { dayIn } from '#contracts/shop-days.ts'
import type { TicketType } from '#contracts/ticket-rules.ts'
import { ticketLimits } from '#contracts/tickets.ts'
import { Button } from '#web/components/button.tsx'
import { Field, TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { NoSuchOrder } from '#web/features/orders/order-status.tsx'
import { checkoutQuery } from '#web/features/orders/queries.ts'
import { roleQuery } from '#web/features/users/queries.ts'
import { ApiError, isRefusal } from '#web/lib/api-error.ts'
import { titled } from '#web/lib/page-meta.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { useOpenTicket } from './queries.ts'

export const meta = titled('Return or ask')

export const handle: PageHandle = { samePage: true }

type Choice = { type: TicketType; name: string; hint: string }

/** Until when a checkout could be sent back, once that day has passed; otherwise null. */
function missedDay({ returnUntil }: Checkout, today: string): string | null {
  return returnUntil !== null && returnUntil < today ? returnUntil : null
}

/**
 * What a reader can ask for about a checkout.
 * @param today of the shop, YYYY-MM-DD
 */
function choicesFor(
  checkout: Checkout,
  { isAdmin, today, returnDays }: { isAdmin: boolean; today: string; returnDays: string },
) {
  const { returnUntil, returnsPaidBy } = checkout
  const until = returnUntil
    ? `Until ${dayText(returnUntil)}.`
    : `Until ${returnDays} days after the last part of it has arrived.`
  const cost = returnsPaidBy === 'shop' ? 'We pay the way back.' : 'You pay the way back.'
  const sendBack: Choice[] = [
    {
      type: 'withdrawal',
      name: 'Withdraw from the purchase',
      hint: `Without a reason. ${until} ${cost}`,
    },
    { type: 'return', name: 'Send something back', hint: `${until} ${cost}` },
  ]
  const always: Choice[] = [
    {
      type: 'warranty',
      name: 'It is faulty, damaged or wrong',
      hint: 'We send another one or refund it. We pay the way back.',
    },
    { type: 'question', name: 'Ask a question', hint: 'About this order.' },
  ]
  const undelivered: Choice = {
    type: 'undelivered',
    name: 'It came back undelivered',
    hint: 'The parcel is here again.',
  }
  const isLeft = checkout.orders.some(({ paid, status }) => paid && status !== 'refunded')
  // the shop itself may take back what it likes
  const canSendBack = isLeft && (isAdmin || missedDay(checkout, today) === null)
  return [...(canSendBack ? sendBack : []), ...always, ...(isAdmin && isLeft ? [undelivered] : [])]
}

/** The orders of the checkout with how many units of each are meant. */
function LineFields({
  orders,
  units,
  onChange,
  problems,
}: {
  orders: Order[]
  units: Record<string, string>
  onChange: (units: Record<string, string>) => void
  problems: Record<string, string>
}) {
  return (
    <fieldset className="mb-4">
      <legend className="mb-2 font-semibold">Which products, and how many of each?</legend>
      {orders.map(({ _id, product, quantity, number }) => (
        <Field
          key={_id}
          label={`${product}, ${number}`}
          hint={`0 to ${quantity}`}
          inputMode="numeric"
          autoComplete="off"
          className="max-w-80"
          value={units[_id] ?? '0'}
          error={problems[_id] ?? ''}
          onChange={(event) => onChange({ ...units, [_id]: event.target.value })}
        />
      ))}
    </fieldset>
  )
}

type Refusals = { lines: Record<string, string>; text: string; form: string }
const noRefusals: Refusals = { lines: {}, text: '', form: '' }

/** The named lines, or what is wrong with them. */
function readLines(orders: Order[], units: Record<string, string>) {
  const wrong: Record<string, string> = {}
  const lines = orders.flatMap(({ _id: orderId, quantity }) => {
    const typed = (units[orderId] ?? '0').trim() || '0'
    const count = /^\d+$/.test(typed) ? Number(typed) : Number.NaN
    if (Number.isNaN(count) || count > quantity)
      wrong[orderId] = `Type a whole number from 0 to ${quantity}`
    return count > 0 ? [{ orderId, quantity: count }] : []
  })
  return { lines, wrong }
}

function NewTicketForm({ checkout, isAdmin }: { checkout: Checkout; isAdmin: boolean }) {
  const navigate = useNavigate()
  const { timeZone, returnDays } = useShop().facts
  const today = dayIn(timeZone, serverTime())
  const missed = isAdmin ? null : missedDay(checkout, today)
  const open = useOpenTicket(checkout._id)
  const key = useRef<string>(null)
  const orders = checkout.orders.filter(({ paid }) => paid)
  const [type, setType] = useState<TicketType>('question')
  const [units, setUnits] = useState<Record<string, string>>(() => {
    const [only, ...more] = orders
    return only && more.length === 0 ? { [only._id]: String(only.quantity) } : {}
  })
  const [text, setText] = useState('')
  const [refusals, setRefusals] = useState(noRefusals)
  const needsText = type !== 'withdrawal' && type !== 'undelivered'
  function send(event: FormEvent) {
    event.preventDefault()
    if (open.isPending) return
    const { lines, wrong } = readLines(orders, units)
    const isAbout = type !== 'question'
    const found: Refusals = {
      lines: isAbout ? wrong : {},
      text: needsText && !text.trim() ? 'Message is required' : '',
      form: isAbout && lines.length === 0 ? 'Name at least one product' : '',
    }
    setRefusals(found)
    if (found.text || found.form || Object.keys(found.lines).length > 0) return
    key.current ??= crypto.randomUUID()
    open.mutate(
      {
        key: key.current,
        ticket: { type, lines: isAbout ? lines : [], ...(text.trim() && { text }) },
      },
      {
        onSuccess: ({ insertedId, number }) => {
          void toast('success', `We have received ${number}, and mailed you`)
          void navigate(`/dashboard/ticket/${insertedId}`, { replace: true })
        },
        onError: (refusal) => {
          // after a refusal the next try is a new ticket; after a lost response it is the same one
          if (isRefusal(refusal)) key.current = null
          const fields = refusal instanceof ApiError ? (refusal.fields ?? {}) : {}
          const ofLines = Object.entries(fields).flatMap(([name, why]) => {
            const line = lines[Number(name.replace('lines.', ''))]
            return name.startsWith('lines.') && line ? [[line.orderId, why] as const] : []
          })
          setRefusals({
            lines: Object.fromEntries(ofLines),
            text: fields.text ?? '',
            form: ofLines.length > 0 || fields.text ? '' : refusal.message,
          })
        },
      },
    )
  }
  return (
    <Form onSubmit={send} className="max-w-2xl">
      <fieldset className="mb-6">
        <legend className="mb-2 font-semibold">What is it about?</legend>
        {choicesFor(checkout, { isAdmin, today, returnDays }).map((choice) => (
          <label key={choice.type} className="flex min-h-11 items-start gap-3 py-2">
            <input
              type="radio"
              name="type"
              className="mt-1.5"
              checked={type === choice.type}
              onChange={() => setType(choice.type)}
            />
            <span>
              {choice.name}
              <span className="block text-dim text-sm">{choice.hint}</span>
            </span>
          </label>
        ))}
        {missed && <p className="mt-2 text-dim">It could be sent back until {dayText(missed)}.</p>}
      </fieldset>
      {type !== 'question' && (
        <LineFields orders={orders} units={units} onChange={setUnits} problems={refusals.lines} />
      )}
      <TextArea
        label={needsText ? 'Message' : 'Message (optional)'}
        hint={type === 'warranty' ? 'What do you see? You can add pictures next.' : undefined}
        rows={4}
        typed={text.length}
        limit={ticketLimits.text}
        value={text}
        error={refusals.text}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="alert" className="mb-3 text-danger">
        {refusals.form}
      </p>
      <Button type="submit" loading={open.isPending}>
        {type === 'withdrawal' ? 'Withdraw from the purchase' : 'Send'}
      </Button>
    </Form>
  )
}

/** Opens a ticket on a paid checkout. */
export default function NewTicketScreen() {
  const { id = '' } = useParams()
  const { user } = useSession()
  const { data: checkout, error, refetch } = useQuery(checkoutQuery({ checkoutId: id }))
  const { data: role } = useQuery(roleQuery(user?.email ?? ''))
  const leaving = useSignedOutBy(error)
  if (isUnknown(error)) return <NoSuchOrder />
  if (!checkout && error && !leaving)
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  return (
    <section aria-labelledby="new-ticket">
      <h1 id="new-ticket" tabIndex={-1} className="mb-6 font-bold text-4xl tracking-tight">
        Return or ask
      </h1>
      {checkout && role ? (
        <NewTicketForm checkout={checkout} isAdmin={role === 'admin'} />
      ) : (
        <Skeleton className="min-h-dvh w-full rounded-card" />
      )}
    </section>
  )
}
