import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type AuditEntry, type AuditFilter, type AuditList, subjectOf } from '#contracts/audit.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { ListTable } from '#web/components/list-frame.tsx'
import { api } from '#web/lib/api.ts'
import { countQuery, csvDecimals, pageQuery, rowsAsked } from '#web/lib/lists/list-page.ts'
import type { ListAddress } from '#web/lib/lists/use-list-address.ts'
import { shortMoment } from '#web/lib/moments.ts'

/** An event without an admin, such as a payment. `at` is ISO 8601. */
export type HistoryEvent = Pick<AuditEntry, 'at' | 'action' | 'note'> & { by: string }

type HistoryProps = {
  /** The subject in the audit log's form, such as `order:<id>`. */
  about: string
  events?: HistoryEvent[]
}

/** A page of the audit log merged with the events of its period, newest first. */
function withEvents(page: { rows: AuditEntry[]; hasMore: boolean }, events: HistoryEvent[]) {
  const oldest = page.rows.at(-1)
  const shown = events.filter(({ at }) => !(page.hasMore && oldest && at < oldest.at))
  const lines: (AuditEntry | HistoryEvent)[] = [...page.rows, ...shown]
  return lines.toSorted((a, b) => b.at.localeCompare(a.at))
}

/** The actions on one subject, newest first. */
export default function History({ about, events = [] }: HistoryProps) {
  const { data, error, refetch } = useQuery(auditLogQuery({ about }))
  const lines = data && withEvents(data, events)
  return (
    <section aria-labelledby="history" className="mt-10 print:hidden">
      <h2 id="history" className="text-2xl font-semibold tracking-tight">
        History
      </h2>
      {!data && error && (
        <p role="alert" className="mt-2">
          {error.message}{' '}
          <button type="button" className="link min-h-6 cursor-pointer" onClick={() => refetch()}>
            Retry
          </button>
        </p>
      )}
      {lines?.length === 0 && <p className="mt-2 text-dim">No admin has made any changes yet.</p>}
      <ol className="mt-3">
        {lines?.map((line) => (
          <li
            key={'_id' in line ? line._id : line.action}
            className="wrap-anywhere border-line border-t py-3"
          >
            <p>
              <span className="font-semibold">{line.action}</span>
              {line.note && <span className="text-dim"> · {line.note}</span>}
            </p>
            <p className="figure text-dim text-xs">
              <time dateTime={line.at}>{shortMoment(line.at)}</time> · {byWhom(line)}
              {'key' in line && line.key && ` · API key ${line.key}`}
            </p>
          </li>
        ))}
      </ol>
      {data?.hasMore && (
        <Link to={`/dashboard/audit?about=${encodeURIComponent(about)}`} className="link">
          Full history
        </Link>
      )}
    </section>
  )
}

const labels = { order: 'Order', part: 'Product', user: 'User', review: 'Review by' } as const

function pageOf(about: string): string | null {
  const subject = subjectOf(about)
  if (subject?.type === 'order') return `/dashboard/order/${subject.key}`
  if (subject?.type === 'part') return `/dashboard/products/${subject.key}`
  if (subject?.type === 'review') return `/dashboard/manageReviews?q=${subject.key}`
  return subject && `/dashboard/users?q=${encodeURIComponent(subject.key)}`
}

/** The subject of an action: its type and name, linked to the screen that manages it. */
function SubjectLink({ about, name }: { about: string; name: string }) {
  const type = subjectOf(about)?.type
  const page = pageOf(about)
  return (
    <>
      {type && <span className="text-dim">{labels[type]} </span>}
      {page ? (
        <Link to={page} className="row-link">
          {name}
        </Link>
      ) : (
        name
      )}
    </>
  )
}

type Props = { address: ListAddress; lines: AuditEntry[] }

/** Without a user, the card provider reported the event. */
export const byWhom = (line: Pick<AuditEntry, 'by'>) => line.by ?? 'card provider'

/** Actions as a table, newest first. */
export function AuditLogTable({ address, lines }: Props) {
  const isAboutOne = address.read('about') !== ''
  return (
    <ListTable
      caption="Who did what, newest first"
      head={
        <>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">Action</th>
          <th scope="col">About</th>
          {!isAboutOne && (
            <th scope="col">
              <span className="sr-only">Filter</span>
            </th>
          )}
        </>
      }
    >
      {lines.map((line) => (
        <tr
          key={line._id}
          className="grid-cols-[1fr_auto] [grid-template-areas:'action_only'_'about_about'_'who_who'_'when_when']"
        >
          <td className="text-[0.8125rem] text-dim [grid-area:when] wide:w-36 wide:whitespace-nowrap">
            <time dateTime={line.at}>{shortMoment(line.at)}</time>
          </td>
          <td className="text-[0.875rem] [grid-area:who] wide:min-w-44">
            <EmailText email={byWhom(line)} />
            {line.key && <p className="text-dim text-sm wrap-anywhere">API key {line.key}</p>}
          </td>
          <td className="[grid-area:action] wide:min-w-44">
            <span className="font-semibold">{line.action}</span>
            {line.note && <p className="text-dim text-sm">{line.note}</p>}
          </td>
          <td className="[grid-area:about] wide:min-w-40">
            <SubjectLink about={line.about} name={line.name} />
          </td>
          {!isAboutOne && (
            <td className="[grid-area:only] wide:whitespace-nowrap">
              <Link
                {...address.link({ about: line.about })}
                className="link text-sm"
                aria-label={`Only this: ${line.name}`}
              >
                Only this
              </Link>
            </td>
          )}
        </tr>
      ))}
    </ListTable>
  )
}

/** One page of the audit log, newest first, of all subjects or one; refetched on each visit. */
export const auditLogQuery = (page: Pick<AuditList, 'about' | 'after'>) =>
  pageQuery('audit-log', page, (options) =>
    api.audit.$get({ query: { ...page, limit: String(rowsAsked) } }, options),
  )

export const auditLogCountQuery = (filter: AuditFilter) =>
  countQuery('audit-log', filter, (options) => api.audit.count.$get({ query: filter }, options))

/** The whole audit log as CSV, or the lines about one subject. */
export const auditLogCsv = ({ about }: Pick<AuditList, 'about'>): Promise<Response> =>
  api['audit.csv'].$get({ query: { ...(about && { about }), decimals: csvDecimals() } })
