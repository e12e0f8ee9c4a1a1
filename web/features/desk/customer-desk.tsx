import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { counted } from '#contracts/counted.ts'
import type { CustomerPage } from '#contracts/desk.ts'
import { ticketTypes } from '#contracts/ticket-rules.ts'
import { ticketLimits } from '#contracts/tickets.ts'
import { Button } from '#web/components/button.tsx'
import { TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { shortDay } from '#web/lib/moments.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { Notes } from './notes.tsx'
import { customerQuery, useAddCustomerNote, useWriteToCustomer } from './queries.ts'

/** How much a customer bought, and where that stands. */
function Figures({ customer }: { customer: CustomerPage }) {
  const money = useMoney()
  const { user, orders, paidOrders, turnover } = customer
  const q = encodeURIComponent(user.email)
  return (
    <p className="mb-4 text-pretty">
      {user.name}, since {shortDay(user.createdAt)}.{' '}
      <Link to={`/dashboard/manageOrders?q=${q}`} className="link">
        {counted(orders, 'order')}
      </Link>
      , {paidOrders} of them paid: {money(turnover)} after refunds.{' '}
      <Link
        to={`/dashboard/audit?about=${encodeURIComponent(`user:${user.email}`)}`}
        className="link"
      >
        Audit log
      </Link>
    </p>
  )
}

function TicketsOf({ customer: { tickets } }: { customer: CustomerPage }) {
  if (tickets.length === 0) return null
  return (
    <section aria-labelledby="tickets" className="mt-8">
      <h2 id="tickets" className="mb-3 font-semibold text-2xl tracking-tight">
        Returns and questions
      </h2>
      <ul className="border-line border-t">
        {tickets.map(({ _id, number, type, state, createdAt }) => (
          <li key={_id} className="flex flex-wrap gap-x-4 gap-y-1 border-line border-b py-2">
            <Link to={`/dashboard/ticket/${_id}`} className="link inline-flex min-h-6 items-center">
              {ticketTypes[type]} {number}
            </Link>
            <span className="text-dim">
              {state}, {shortDay(createdAt)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Writes to the customer; the thread opens. */
function Write({ id }: { id: string }) {
  const navigate = useNavigate()
  const write = useWriteToCustomer(id)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  function send(event: FormEvent) {
    event.preventDefault()
    if (write.isPending) return
    if (!text.trim()) return setProblem('Message is required')
    write.mutate(text, {
      onSuccess: ({ insertedId }) => navigate(`/dashboard/ticket/${insertedId}`),
      onError: (refusal) => setProblem(refusal.message),
    })
  }
  return (
    <section aria-labelledby="write" className="mt-8">
      <h2 id="write" className="mb-3 font-semibold text-2xl tracking-tight">
        Message the customer
      </h2>
      <Form onSubmit={send}>
        <TextArea
          label="Message"
          hint="We’ll email it with a link to the thread."
          rows={3}
          typed={text.length}
          limit={ticketLimits.text}
          value={text}
          error={problem}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="quiet" loading={write.isPending}>
          Send
        </Button>
      </Form>
    </section>
  )
}

/** What the shop knows of a customer: orders, turnover, tickets, notes; and a message to them. */
export function CustomerDesk({ id }: { id: string }) {
  const { data: customer } = useQuery(customerQuery(id))
  const add = useAddCustomerNote(id)
  // what follows stays out of sight until this is here
  if (!customer) return <Skeleton className="min-h-dvh w-full rounded-card" />
  return (
    <>
      <Figures customer={customer} />
      <TicketsOf customer={customer} />
      <Notes notes={customer.notes} canTell={false} add={add} />
      <Write id={id} />
    </>
  )
}
