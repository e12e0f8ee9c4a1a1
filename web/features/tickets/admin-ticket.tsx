import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { sumOf } from '#contracts/money.ts'
import { hasEnded, nextStates, type TicketState } from '#contracts/ticket-rules.ts'
import { type Ticket, ticketLimits } from '#contracts/tickets.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select, TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { checkoutQuery } from '#web/features/orders/queries.ts'
import { RefundDialog } from '#web/features/orders/refund-dialog.tsx'
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

/** Refunds what goes back by the ticket, which settles it. */
function RefundTicket({ ticket, checkoutId }: { ticket: Ticket; checkoutId: string }) {
  const money = useMoney()
  const { data: checkout } = useQuery(checkoutQuery({ checkoutId }))
  const [isAsking, setAsking] = useState(false)
  if (!checkout) return null
  const { lines, shipping } = portionsOf(ticket, checkout)
  const [first] = lines
  if (!first) return null
  const reason = `${stateText(ticket)}, ${ticket.number}`
  return (
    <>
      <Button variant="quiet" className="mt-3" onClick={() => setAsking(true)}>
        Refund {money(sumOf([shipping, ...lines.map(({ amount }) => amount)]))}
      </Button>
      {isAsking && (
        <RefundDialog
          order={first.order}
          ofTicket={{ ticketId: ticket._id, lines, shipping, reason }}
          onClose={() => setAsking(false)}
        />
      )}
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
    <>
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
        <Button type="submit" loading={edit.isPending}>
          Save and send
        </Button>
      </Form>
      {ticket.checkoutId && !hasEnded(ticket.state) && (
        <RefundTicket ticket={ticket} checkoutId={ticket.checkoutId} />
      )}
    </>
  )
}
