import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { titled } from '#web/lib/page-meta.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { ticketQuery } from './queries.ts'
import { Messages, stateText, TicketLines, ticketTitle, WriteMessage } from './thread.tsx'

export const meta = titled('Your message')

export const handle: PageHandle = { samePage: true, keyInAddress: true }

function PublicTicket({ id, ticketKey }: { id: string; ticketKey: string }) {
  const { data: ticket, error, refetch } = useQuery(ticketQuery(id, ticketKey))
  usePageTitle(ticket && ticketTitle(ticket))
  if (isUnknown(error)) {
    return (
      <EmptyState
        heading="h1"
        title={messages.notFound}
        action={<ButtonLink to="/contact">Contact</ButtonLink>}
      >
        This link is damaged: perhaps only a part of it was copied. Open it from the mail.
      </EmptyState>
    )
  }
  if (!ticket && error) return <ErrorState message={error.message} onRetry={() => refetch()} />
  if (!ticket) return <Skeleton className="min-h-dvh w-full rounded-card" />
  return (
    <>
      <h1 tabIndex={-1} className="font-bold text-4xl tracking-tight">
        {ticketTitle(ticket)}
      </h1>
      <p className="mt-2 mb-6 text-dim">{stateText(ticket)}</p>
      <TicketLines ticket={ticket} isLinked={false} />
      <Messages ticket={ticket} self="customer" />
      <WriteMessage ticket={ticket} ticketKey={ticketKey} />
    </>
  )
}

/** A thread for whoever has the link of its mail. The key is behind the `#`: no log has it. */
export default function PublicTicketScreen() {
  const { id = '' } = useParams()
  const { hash } = useLocation()
  const isHydrated = useHydrated()
  return (
    <div className="column max-w-[60ch] py-10 md:py-16">
      {isHydrated ? (
        <PublicTicket id={id} ticketKey={hash.slice(1)} />
      ) : (
        <Skeleton className="min-h-dvh w-full rounded-card" />
      )}
    </div>
  )
}
