import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ticketTypes } from '#contracts/ticket-rules.ts'
import { TicketFilter, TicketList, type TicketSummary } from '#contracts/tickets.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListFrame, ListTable } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { filterOf, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { useNow } from '#web/lib/use-now.ts'
import { ticketsCountQuery, ticketsCsv, ticketsQuery } from './queries.ts'
import { stateText, ticketTitle } from './thread.tsx'

export const meta = titled('Returns and questions')

const selects = {
  view: {
    label: 'State',
    choices: { '': 'All', waiting: 'Waiting for me', open: 'Open', ended: 'Ended' },
  },
  type: { label: 'Type', choices: { '': 'All types', ...ticketTypes } },
  sort: {
    label: 'Sorted by',
    choices: { '': 'Newest first', oldest: 'Oldest first', waiting: 'Waiting for longest' },
  },
}

const hour = 3_600_000

/** How long something waits: '5 h', '3 days'. */
function ageText(since: string, now: number): string {
  const hours = Math.max(0, Math.floor((now - Date.parse(since)) / hour))
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

function TicketRow({ ticket, now }: { ticket: TicketSummary; now: number }) {
  const { _id, name, email, createdAt, waitingSince } = ticket
  return (
    <tr className="grid-cols-[1fr_auto] [grid-template-areas:'what_since'_'who_who']">
      <td className="[grid-area:what]">
        <Link to={`/dashboard/ticket/${_id}`} className="link font-semibold">
          {ticketTitle(ticket)}
        </Link>
        <p className="text-dim text-sm">{stateText(ticket)}</p>
      </td>
      <td className="[grid-area:who]">
        {name}
        <p className="text-dim text-sm">
          <EmailText email={email} />
        </p>
      </td>
      <td className="whitespace-nowrap text-sm [grid-area:since]">
        {waitingSince ? (
          <strong>waits {ageText(waitingSince, now)}</strong>
        ) : (
          <time dateTime={createdAt} className="text-dim">
            {shortMoment(createdAt)}
          </time>
        )}
      </td>
    </tr>
  )
}

/** What customers ask for after paying: returns, warranty and questions, each a thread. */
export default function TicketsScreen() {
  const address = useListAddress(['q', 'view', 'type'])
  const query = filterOf(TicketList, address)
  const list = useQuery(ticketsQuery(query))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const now = useNow(false)
  return (
    <ListFrame
      title="Returns and questions"
      tools={
        <ListTools address={address} search="Number, name or email" selects={selects}>
          <ExportButton name="tickets" onExport={() => ticketsCsv(query)} />
        </ListTools>
      }
      address={address}
      list={list}
      leaving={leaving}
      count={ticketsCountQuery(filterOf(TicketFilter, address))}
      noun={['ticket', 'tickets']}
      empty={
        <EmptyState title="Nothing waits">
          What customers send back, and what they ask, is listed here.
        </EmptyState>
      }
    >
      {(tickets) => (
        <ListTable
          caption="Returns and questions"
          head={
            <>
              <th scope="col">Number</th>
              <th scope="col">Customer</th>
              <th scope="col">Since</th>
            </>
          }
        >
          {tickets.map((ticket) => (
            <TicketRow key={ticket._id} ticket={ticket} now={now} />
          ))}
        </ListTable>
      )}
    </ListFrame>
  )
}
