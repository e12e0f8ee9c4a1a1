import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { cents, fromCents } from '#contracts/money.ts'
import { nextStates, type TicketState } from '#contracts/ticket-rules.ts'
import { type Ticket, ticketLimits } from '#contracts/tickets.ts'
import { Button } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { Field, Select, TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { useRefundCheckout } from '#web/features/orders/admin-queries.ts'
import { checkoutQuery } from '#web/features/orders/queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useEditTicket } from './queries.ts'
import { portionsOf } from './refund-portions.ts'
import { stateText } from './thread.tsx'

type Received = Record<string, { received: string; restock: string }>

const readCount = (typed: string): number =>
  /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN

/** How many units of each line came back, and how many of them can be sold again. */
function ReceivedFields({
  ticket,
  received,
  onChange,
  problem,
}: {
  ticket: Ticket
  received: Received
  onChange: (received: Received) => void
  problem: string
}) {
  return (
    <fieldset className="mb-4">
      <legend className="mb-2 font-semibold">What came back</legend>
      {ticket.lines.map(({ orderId, product, quantity }) => {
        const line = received[orderId] ?? { received: '0', restock: '0' }
        const set = (part: Partial<typeof line>) =>
          onChange({ ...received, [orderId]: { ...line, ...part } })
        return (
          <div key={orderId} className="mb-2 grid items-end gap-x-4 sm:grid-cols-2">
            <Field
              label={`Received of ${quantity} × ${product}`}
              inputMode="numeric"
              autoComplete="off"
              value={line.received}
              onChange={(event) => set({ received: event.target.value })}
            />
            <Field
              label="Can be sold again"
              inputMode="numeric"
              autoComplete="off"
              value={line.restock}
              onChange={(event) => set({ restock: event.target.value })}
            />
          </div>
        )
      })}
      <p role="alert" className="text-danger text-sm">
        {problem}
      </p>
    </fieldset>
  )
}

/** Refunds what the ticket is about, which settles it. */
function RefundTicket({ ticket, checkoutId }: { ticket: Ticket; checkoutId: string }) {
  const money = useMoney()
  const { data: checkout } = useQuery(checkoutQuery({ checkoutId }))
  const [isAsking, setAsking] = useState(false)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const refund = useRefundCheckout()
  if (!checkout) return null
  const { lines, shipping } = portionsOf(ticket, checkout)
  if (lines.length === 0) return null
  const sum = fromCents(lines.reduce((all, { amount }) => all + cents(amount), 0) + cents(shipping))
  const send = () =>
    refund.mutate(
      {
        id: checkoutId,
        key,
        request: {
          lines: lines.map(({ order, amount, restock }) => ({
            ...{ orderId: order._id, amount, restock },
          })),
          ...(shipping > 0 && { shipping }),
          reason: `${stateText(ticket)}, ${ticket.number}`,
          ticketId: ticket._id,
        },
      },
      {
        onSuccess: () => toast('success', `Refunded ${money(sum)} to ${ticket.name}`),
        onError: (problem) => {
          void toast('error', problem.message)
          if (problem instanceof ApiError && problem.code === 'REFUND_REFUSED')
            setKey(crypto.randomUUID())
        },
        onSettled: () => setAsking(false),
      },
    )
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Refund {money(sum)}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Refund ${money(sum)}?`}
        confirmText="Refund"
        busy={refund.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={send}
      >
        <ul>
          {lines.map(({ order, amount, restock }) => (
            <li key={order._id} className="wrap-anywhere">
              {order.product}: {money(amount)}, {restock} back on the shelf
            </li>
          ))}
          {shipping > 0 && <li>Delivery: {money(shipping)}</li>}
        </ul>
        <p className="mt-2">It settles {ticket.number}.</p>
      </ConfirmDialog>
    </>
  )
}

/** What an admin does with a ticket: answer, move, receive, refund. */
export default function AdminTicket({ ticket }: { ticket: Ticket }) {
  const edit = useEditTicket(ticket._id)
  const [text, setText] = useState('')
  const [state, setState] = useState<TicketState>(ticket.state)
  const [received, setReceived] = useState<Received>(() =>
    Object.fromEntries(
      ticket.lines.map(({ orderId, received: units, restock }) => [
        orderId,
        { received: String(units), restock: String(restock) },
      ]),
    ),
  )
  const [problem, setProblem] = useState<{ text?: string; received?: string }>({})
  const states = [ticket.state, ...nextStates(ticket.type, ticket.state)]
  function send(event: FormEvent) {
    event.preventDefault()
    if (edit.isPending) return
    const counts = Object.entries(received).map(([orderId, line]) => ({
      orderId,
      received: readCount(line.received),
      restock: readCount(line.restock),
    }))
    if (counts.some((line) => Number.isNaN(line.received) || Number.isNaN(line.restock)))
      return setProblem({ received: 'Units must be whole numbers' })
    edit.mutate(
      {
        ...{ version: ticket.version, state, received: counts },
        ...(text.trim() && { text }),
      },
      {
        onSuccess: () => toast('success', 'Saved, and mailed to the customer'),
        onError: (refusal) => {
          const fields = refusal instanceof ApiError ? (refusal.fields ?? {}) : {}
          const [ofReceived] = Object.entries(fields).filter(([name]) =>
            name.startsWith('received'),
          )
          setProblem(ofReceived ? { received: ofReceived[1] } : { text: refusal.message })
        },
      },
    )
  }
  return (
    <Form onSubmit={send}>
      <TextArea
        label="Answer"
        hint="The customer gets a mail with it."
        rows={4}
        typed={text.length}
        limit={ticketLimits.text}
        value={text}
        error={problem.text ?? ''}
        onChange={(event) => setText(event.target.value)}
      />
      {ticket.lines.length > 0 && (
        <ReceivedFields
          ticket={ticket}
          received={received}
          onChange={setReceived}
          problem={problem.received ?? ''}
        />
      )}
      <div className="mb-4 max-w-60">
        <Select
          label="State"
          value={state}
          onChange={(value) => setState(value as TicketState)}
          choices={Object.fromEntries(
            states.map((each) => [each, stateText({ type: ticket.type, state: each })]),
          )}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={edit.isPending}>
          Save and send
        </Button>
        {ticket.checkoutId && ticket.state !== 'settled' && (
          <RefundTicket ticket={ticket} checkoutId={ticket.checkoutId} />
        )}
      </div>
    </Form>
  )
}
