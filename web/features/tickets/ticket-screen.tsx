import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { roleQuery } from '#web/features/users/queries.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { titled } from '#web/lib/page-meta.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { ticketQuery } from './queries.ts'
import { Messages, stateText, TicketLines, ticketTitle, WriteMessage } from './thread.tsx'
import { Pictures } from './ticket-pictures.tsx'

export const meta = titled('Ticket')

export const handle: PageHandle = { samePage: true }

// loaded for admins only
const AdminTicket = lazy(withTimeout(() => import('./admin-ticket.tsx')))

/** A ticket with its thread: its customer writes below it, the shop answers and decides. */
export default function TicketScreen() {
  const { id = '' } = useParams()
  const { user } = useSession()
  const { data: ticket, error, refetch } = useQuery(ticketQuery(id))
  const { data: role } = useQuery(roleQuery(user?.email ?? ''))
  const isAdmin = role === 'admin'
  usePageTitle(ticket && ticketTitle(ticket))
  const leaving = useSignedOutBy(error)
  if (isUnknown(error)) {
    return (
      <EmptyState
        heading="h1"
        title={messages.notFound}
        action={<ButtonLink to="/dashboard/myOrders">My orders</ButtonLink>}
      >
        There is no such ticket.
      </EmptyState>
    )
  }
  if (!ticket && error && !leaving)
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  if (!ticket || !role) return <Skeleton className="min-h-dvh w-full rounded-card" />
  const self = isAdmin ? 'shop' : 'customer'
  return (
    <section aria-labelledby="ticket" className="max-w-3xl">
      <h1 id="ticket" tabIndex={-1} className="font-bold text-4xl tracking-tight">
        {ticketTitle(ticket)}
      </h1>
      <p className="wrap-anywhere mt-2 mb-6 text-dim">
        {stateText(ticket)}
        {isAdmin && `, ${ticket.name}, ${ticket.email}`}
      </p>
      <TicketLines ticket={ticket} isLinked />
      <Pictures ticket={ticket} canAdd={!isAdmin && ticket.checkoutId !== null} />
      <Messages ticket={ticket} self={self} />
      {isAdmin ? (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <AdminTicket key={ticket.version} ticket={ticket} />
        </Suspense>
      ) : (
        <WriteMessage ticket={ticket} />
      )}
    </section>
  )
}
