import { Link } from 'react-router'
import type { Checkout } from '#contracts/checkouts.ts'
import { ticketTypes } from '#contracts/ticket-rules.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { shortDay } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useNoteArrival } from './queries.ts'

function Arrival({ checkoutId }: { checkoutId: string }) {
  const arrival = useNoteArrival(checkoutId)
  const note = () =>
    arrival.mutate(undefined, { onError: (problem) => toast('error', problem.message) })
  return (
    <Button variant="quiet" loading={arrival.isPending} onClick={note}>
      It has arrived
    </Button>
  )
}

/** What was asked for about a paid checkout, and the way to ask for more. */
export function OrderTickets({ checkout }: { checkout: Checkout }) {
  const { _id, tickets, orders } = checkout
  const isUnderWay = orders.some(({ shippedAt, deliveredAt }) => shippedAt && !deliveredAt)
  return (
    <section aria-labelledby="tickets" className="mt-8 print:hidden">
      <h2 id="tickets" className="mb-3 font-semibold text-2xl tracking-tight">
        Returns and questions
      </h2>
      {tickets.length > 0 && (
        <ul className="mb-4">
          {tickets.map(({ _id: id, number, type, state, createdAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3">
              <Link
                to={`/dashboard/ticket/${id}`}
                className="link inline-flex min-h-11 items-center"
              >
                {ticketTypes[type]} {number}
              </Link>
              <span className="text-dim">
                {state}, {shortDay(createdAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`/dashboard/newTicket/${_id}`} variant="quiet">
          Return or ask
        </ButtonLink>
        {isUnderWay && <Arrival checkoutId={_id} />}
      </div>
    </section>
  )
}
