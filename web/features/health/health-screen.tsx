import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { counted } from '#contracts/counted.ts'
import type { HealthCheck, HealthReport } from '#contracts/health.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'

const refreshMs = 30_000

/** The current health checks; refetched every 30 s while the page is visible. */
const healthQuery = () =>
  queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }) => (await api.health.$get({}, { init: { signal } })).json(),
    staleTime: 0,
    refetchInterval: refreshMs,
  })

export const meta = titled('Is my shop well?')

const looks = {
  ok: { word: 'well', ring: 'border-green', text: 'text-green' },
  off: { word: 'not set up', ring: 'border-dim', text: 'text-dim' },
  warning: { word: 'warning', ring: 'border-amber bg-amber', text: 'text-amber' },
  failing: { word: 'failing', ring: 'border-danger bg-danger', text: 'text-danger' },
} as const
const urgency = { failing: 0, warning: 1, off: 2, ok: 3 } as const
const isWrong = ({ state }: HealthCheck) => state === 'failing' || state === 'warning'

function CheckCard({ check }: { check: HealthCheck }) {
  const { title, state, sentence, advice, since, checkedAt } = check
  const { word, ring, text } = looks[state]
  const wrong = isWrong(check)
  return (
    <li className="card grid gap-x-6 gap-y-1 px-5 py-4 @2xl:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="flex items-baseline gap-3 @2xl:block">
        <h2 className="font-display font-semibold text-lg tracking-tight">{title}</h2>
        <p className={`flex items-center gap-2 text-sm ${text}`}>
          <span aria-hidden="true" className={`size-2.5 rounded-full border-2 ${ring}`} />
          {word}
        </p>
      </div>
      <div className="min-w-0">
        <p className="text-pretty wrap-anywhere">{sentence}</p>
        {advice && <p className="mt-1.5 text-pretty wrap-anywhere">{advice}</p>}
        <p className="mt-1.5 text-dim text-sm">
          {wrong ? 'Since' : 'Checked'}{' '}
          <time dateTime={wrong ? since : checkedAt}>{shortMoment(wrong ? since : checkedAt)}</time>
        </p>
      </div>
    </li>
  )
}

/** The shop's health in one sentence. */
function verdictOn(checks: HealthCheck[]): string {
  const wrong = checks.filter(isWrong).length
  if (checks.length === 0) return 'Not checked yet'
  if (wrong > 0) return `${counted(wrong, 'warning')} about your shop`
  const isAllSetUp = checks.every(({ state }) => state !== 'off')
  return isAllSetUp ? 'Your shop is well' : 'Your shop is well, but not everything is set up'
}

function Report({ report }: { report: HealthReport }) {
  const checks = report.checks.toSorted((a, b) => urgency[a.state] - urgency[b.state])
  const isWell = checks.length > 0 && !checks.some(isWrong)
  return (
    <>
      <p
        role="status"
        className="mt-6 flex w-fit items-center gap-3 font-display font-semibold text-2xl tracking-tight"
      >
        {isWell && (
          <span aria-hidden="true" className="size-3.5 rounded-full border-3 border-green" />
        )}
        {verdictOn(checks)}
      </p>
      <ul aria-label="Checks" className="mt-4 grid gap-3">
        {checks.map((check) => (
          <CheckCard key={check.name} check={check} />
        ))}
      </ul>
      <p className="mt-6 max-w-[68ch] text-pretty text-dim text-sm">
        Payments, stock and pictures are compared under{' '}
        <Link to="/dashboard/money" className="link">
          Money
        </Link>
        ; emails that couldn’t be sent are under{' '}
        <Link to="/dashboard/mail" className="link">
          Mail
        </Link>
        . You’re running version {report.version}.
      </p>
    </>
  )
}

/** The results of the shop's health checks, worst first. */
export default function HealthScreen() {
  const { data, error, refetch, isFetching } = useQuery(healthQuery())
  const leaving = useSignedOutUnlessAdmin(error)
  return (
    <section aria-labelledby="health" className="@container min-h-svh">
      <h1 id="health" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Is my shop well?
      </h1>
      <p className="mt-2 max-w-[56ch] text-pretty text-dim">
        Backups, disk, jobs, and whether each provider accepts your shop’s keys. We also email you
        about any problem, once a day.
      </p>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-8 h-96" />}
      {data && <Report report={data} />}
    </section>
  )
}
