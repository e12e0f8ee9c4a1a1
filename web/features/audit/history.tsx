import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { shortMoment } from '#web/lib/moments.ts'
import { byWhom } from './audit-log-table.tsx'
import { auditLogQuery } from './queries.ts'

/** What was done to one thing, newest first. @param about as the audit log names it, like `order:<id>` */
export default function History({ about }: { about: string }) {
  const { data, error, refetch } = useQuery(auditLogQuery({ about }))
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
      {data?.rows.length === 0 && <p className="mt-2 text-dim">No admin has done anything here.</p>}
      <ol className="mt-3">
        {data?.rows.map((line) => (
          <li key={line._id} className="wrap-anywhere border-line border-t py-3">
            <p>
              <span className="font-semibold">{line.action}</span>
              {line.note && <span className="text-dim"> · {line.note}</span>}
            </p>
            <p className="figure text-dim text-xs">
              <time dateTime={line.at}>{shortMoment(line.at)}</time> · {byWhom(line)}
            </p>
          </li>
        ))}
      </ol>
      {data?.hasMore && (
        <Link to={`/dashboard/audit?about=${encodeURIComponent(about)}`} className="link">
          All of it
        </Link>
      )}
    </section>
  )
}
