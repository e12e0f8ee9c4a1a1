import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { hasEnded, ticketTypes } from '#contracts/ticket-rules.ts'
import { type Ticket, ticketLimits } from '#contracts/tickets.ts'
import { Button } from '#web/components/button.tsx'
import { TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useWriteMessage } from './queries.ts'

/** What the ticket became, in words for both sides. */
export const stateText = ({ type, state }: Pick<Ticket, 'type' | 'state'>): string =>
  type === 'question' && state === 'settled' ? 'answered' : state

/** What the ticket is about. */
export function TicketLines({ ticket, isLinked }: { ticket: Ticket; isLinked: boolean }) {
  if (ticket.lines.length === 0) return null
  return (
    <ul aria-label="Products" className="mb-6 border-line border-t">
      {ticket.lines.map(({ orderId, number, product, quantity, received }) => (
        <li
          key={orderId}
          className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b py-2"
        >
          <span className="wrap-anywhere">
            {quantity} × {product}
          </span>
          {isLinked ? (
            <Link to={`/dashboard/order/${orderId}`} className="link inline-block min-h-6">
              {number}
            </Link>
          ) : (
            number
          )}
          {received > 0 && <span className="text-dim">{received} came back</span>}
        </li>
      ))}
    </ul>
  )
}

/** The messages of both sides, the oldest first. */
export function Messages({ ticket, self }: { ticket: Ticket; self: 'customer' | 'shop' }) {
  const names = { customer: self === 'customer' ? 'You' : ticket.name, shop: 'The shop' }
  return (
    <ol aria-label="Messages" className="mb-6 grid gap-4">
      {ticket.messages.map(({ _id, author, at, state, text }) => (
        <li key={_id} className="card p-6">
          <p className="wrap-anywhere text-dim text-sm">
            {names[author]}, <time dateTime={at}>{shortMoment(at)}</time>
            {state && `: ${stateText({ type: ticket.type, state })}`}
          </p>
          {text && <p className="wrap-anywhere mt-1 whitespace-pre-line">{text}</p>}
        </li>
      ))}
    </ol>
  )
}

/** The customer's answer. @param ticketKey of the mail's link; undefined with a login */
export function WriteMessage({ ticket, ticketKey }: { ticket: Ticket; ticketKey?: string }) {
  const write = useWriteMessage(ticket._id, ticketKey)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  function send(event: FormEvent) {
    event.preventDefault()
    if (write.isPending) return
    if (!text.trim()) return setProblem('Message is required')
    write.mutate(text, {
      onSuccess: () => {
        void toast('success', 'Your message is sent')
        setText('')
        setProblem('')
      },
      onError: (refusal) => setProblem(refusal.message),
    })
  }
  return (
    <Form onSubmit={send}>
      <TextArea
        label="Message"
        hint={hasEnded(ticket.state) ? 'It opens this again.' : undefined}
        rows={3}
        typed={text.length}
        limit={ticketLimits.text}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" loading={write.isPending}>
        Send
      </Button>
    </Form>
  )
}

/** The title of a ticket: 'Return T-1001'. */
export const ticketTitle = ({ type, number }: Pick<Ticket, 'type' | 'number'>): string =>
  `${ticketTypes[type]} ${number}`
