import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Checkout } from '#contracts/checkouts.ts'
import type { OrderMail } from '#contracts/desk.ts'
import type { Order } from '#contracts/orders.ts'
import { Button } from '#web/components/button.tsx'
import { TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { Notes } from './notes.tsx'
import { orderMailsQuery, useAddOrderNote, useNoteSerialNumbers, useSendAgain } from './queries.ts'

function MailRow({ mail }: { mail: OrderMail }) {
  const again = useSendAgain()
  const { _id, subject, recipient, createdAt, sentAt, error } = mail
  const send = () =>
    again.mutate(_id, {
      onSuccess: ({ done, outcome }) => toast(done ? 'success' : 'error', outcome),
      onError: (problem) => toast('error', problem.message),
    })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere">{subject}</p>
        <p className="wrap-anywhere text-dim text-sm">
          {recipient}, {sentAt ? shortMoment(sentAt) : `queued ${shortMoment(createdAt)}`}
          {!sentAt && error && `, ${error}`}
        </p>
      </div>
      {sentAt && (
        <RowButton busy={again.isPending} aria-label={`Send again: ${subject}`} onClick={send}>
          Send again
        </RowButton>
      )}
    </li>
  )
}

/** Every mail to the customer about the order, with a button that sends it again. */
function Mails({ order }: { order: Order }) {
  const { data: mails = [] } = useQuery(orderMailsQuery(order._id))
  if (mails.length === 0) return null
  return (
    <section aria-labelledby="mails" className="mt-8 print:hidden">
      <h2 id="mails" className="mb-3 font-semibold text-2xl tracking-tight">
        Emails to the customer
      </h2>
      <ul className="border-line border-t">
        {mails.map((mail) => (
          <MailRow key={mail._id} mail={mail} />
        ))}
      </ul>
    </section>
  )
}

/** The serial numbers of a paid order's units; a scanner ends each with Enter. */
function SerialNumbers({ order }: { order: Order }) {
  const [typed, setTyped] = useState(order.serialNumbers)
  const [problem, setProblem] = useState('')
  const note = useNoteSerialNumbers(order._id)
  function save(event: FormEvent) {
    event.preventDefault()
    if (note.isPending) return
    const numbers = typed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    note.mutate(numbers, {
      onSuccess: () => {
        void toast('success', 'Serial numbers saved')
        setProblem('')
      },
      onError: (refusal) => setProblem(refusal.message),
    })
  }
  return (
    <section aria-labelledby="serials" className="mt-8 print:hidden">
      <h2 id="serials" className="mb-3 font-semibold text-2xl tracking-tight">
        Serial numbers
      </h2>
      <Form onSubmit={save}>
        <TextArea
          label="One per line"
          hint="Scan them when you pack. You can search all orders by serial number."
          rows={Math.min(6, Math.max(2, order.quantity))}
          typed={typed.length}
          limit={order.quantity * 61}
          value={typed}
          error={problem}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" variant="quiet" loading={note.isPending}>
          Save serial numbers
        </Button>
      </Form>
    </section>
  )
}

type Props = { order: Order; checkout: Checkout }

/** What an admin has on the desk about an order: serial numbers, notes, mails. */
export default function OrderDesk({ order, checkout }: Props) {
  const add = useAddOrderNote(checkout._id)
  return (
    <>
      {order.paid && <SerialNumbers order={order} />}
      <Notes notes={checkout.notes} canTell add={add} />
      <Mails order={order} />
    </>
  )
}
