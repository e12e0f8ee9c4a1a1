import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import type { Day, Overview, Period } from '#contracts/overview.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { dataAge } from '#web/lib/data-age.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { FirstStepsPanel } from './first-steps-panel.tsx'
import { overviewQuery } from './queries.ts'
import { describePeriod, type Figure, shortDate } from './text.ts'
import { BestSellers, Holds, LowStock, ToShip } from './waiting-lists.tsx'

export const meta = titled('Overview')

/** As tall as the content that replaces it on a screen of that width. */
function OverviewSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-6">
      <Skeleton className="h-175 md:h-66" />
      <div className="grid gap-6 md:grid-cols-2">
        {['to ship', 'holds', 'revenue', 'orders'].map((panel) => (
          <Skeleton key={panel} className="h-96" />
        ))}
      </div>
    </div>
  )
}

/** The shop's figures, and the work to do. */
export default function OverviewScreen() {
  const { timeZone } = useShop().facts
  const query = useQuery(overviewQuery)
  const { data, error, refetch, isFetching, dataUpdatedAt } = query
  const leaving = useSignedOutBy(error, [401, 403])
  const failed = !data && error && !leaving
  return (
    <>
      <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Overview
      </h1>
      <p className="mt-2 mb-6 max-w-[56ch] text-pretty text-dim">
        Days start at midnight in {timeZone.replaceAll('_', ' ')}. We compare days in progress up to
        the same time of day.{' '}
        <Link to="/dashboard/health" className="link">
          Is my shop well?
        </Link>
      </p>
      {failed && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!failed && !data && <OverviewSkeleton />}
      {data && <OverviewBody overview={data} now={Math.max(serverTime(), dataUpdatedAt)} />}
    </>
  )
}

const cell = 'border-line border-b px-2 py-1.5 text-end font-normal first:ps-0 first:text-start'

/** The data of the charts as a table: one row per day, today first. */
function DaysTable({ days }: { days: Day[] }) {
  const money = useMoney()
  return (
    <details className="md:col-span-2">
      <summary className="min-h-6 w-fit cursor-pointer text-copper">
        The numbers of both charts as a table
      </summary>
      <table className="mt-4 w-full font-mono text-sm tabular-nums">
        <caption className="sr-only">Orders and revenue per day, today first</caption>
        <thead>
          <tr>
            {['Day', 'Orders', 'of those paid', 'Revenue'].map((name) => (
              <th key={name} scope="col" className={`${cell} text-dim text-xs`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, orders, paid, revenue }) => (
            <tr key={date}>
              <th scope="row" className={cell}>
                {shortDate(date)}
              </th>
              <td className={cell}>{whole(orders)}</td>
              <td className={cell}>{whole(paid)}</td>
              <td className={cell}>{money(revenue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function FigureOf({ name, figure, big }: { name: string; figure: Figure; big?: boolean }) {
  return (
    <div
      className={`grid items-baseline gap-x-4 ${big ? 'mt-1' : 'mt-3 grid-cols-[1fr_auto] border-line border-t pt-3'}`}
    >
      <dt className="label">{name}</dt>
      <dd
        className={
          big
            ? 'font-bold font-display text-[2.25rem] tabular-nums leading-[1.15] tracking-[-0.02em]'
            : 'font-mono text-[1.125rem] tabular-nums'
        }
      >
        {figure.value}
      </dd>
      <dd className="col-span-full text-[0.8125rem] text-dim">
        {figure.sign && (
          <span aria-hidden="true" className="font-mono">
            {figure.sign}{' '}
          </span>
        )}
        {figure.change}
      </dd>
    </div>
  )
}

/** Today and recent periods, each compared with the period before. */
function Periods({ periods }: { periods: Period[] }) {
  const money = useMoney()
  return (
    <div className="card grid min-w-0 px-6 md:grid-cols-3 md:px-0">
      {periods.map((period) => {
        const { title, revenue, orders, share } = describePeriod(period, money)
        return (
          <section
            key={period.days}
            aria-label={title}
            className="border-line py-5 not-first:border-t md:px-6 md:not-first:border-t-0 md:not-first:border-s"
          >
            <h2 className="font-display font-semibold text-xl tracking-tight">{title}</h2>
            <dl>
              <FigureOf big name="Revenue" figure={revenue} />
              <FigureOf name="Orders" figure={orders} />
              <FigureOf name="Paid share" figure={share} />
            </dl>
          </section>
        )
      })}
    </div>
  )
}

/** Mail and money issues that need an admin; empty when there are none. */
function Attention({ attention }: Pick<Overview, 'attention'>) {
  const { mailsGivenUp, issues, disputes, failingChecks, late, tickets, ticketsSince } = attention
  const lines = [
    { count: late, noun: 'parcel', words: 'late to ship', to: '/dashboard/toShip' },
    {
      count: tickets,
      noun: 'ticket',
      words: ticketsSince ? `waiting, the oldest since ${shortMoment(ticketsSince)}` : '',
      to: '/dashboard/tickets?view=waiting&sort=waiting',
    },
    { count: failingChecks, noun: 'warning', words: 'about your shop', to: '/dashboard/health' },
    { count: mailsGivenUp, noun: 'mail', words: 'given up', to: '/dashboard/mail' },
    {
      count: issues,
      noun: 'issue',
      words: 'with the card provider',
      to: '/dashboard/money',
    },
    {
      count: disputes,
      noun: 'order',
      words: 'disputed at the bank',
      to: '/dashboard/manageOrders?status=disputed',
    },
  ].filter(({ count }) => count > 0)
  if (lines.length === 0) return null
  return (
    <ul
      aria-label="Needs attention"
      className="card flex flex-wrap gap-x-8 gap-y-2 border-edge px-6 py-3.5"
    >
      {lines.map(({ count, noun, words, to }) => (
        <li key={to}>
          <Link to={to} className="link">
            {counted(count, noun)}
          </Link>{' '}
          {words}
        </li>
      ))}
    </ul>
  )
}

const loadCharts = withTimeout(() => import('./day-charts.tsx'))
const DayCharts = lazy(loadCharts)

/** The first steps for a new shop. */
function NothingYet({ hasParts }: { hasParts: boolean }) {
  const action = hasParts ? (
    <ButtonLink to="/">See your shop</ButtonLink>
  ) : (
    <ButtonLink to="/dashboard/addProduct">Add a product</ButtonLink>
  )
  return (
    <EmptyState title="No orders yet" action={action}>
      {hasParts
        ? 'Your products are on sale. Orders, revenue and what’s waiting to ship will appear here after the first booking.'
        : 'Nothing is on sale yet. Add your first product; orders and revenue will appear here after the first booking.'}
    </EmptyState>
  )
}

type Props = {
  overview: Overview
  /** Milliseconds since 1970. */
  now: number
}

/** All figures and lists of the overview. */
function OverviewBody({ overview, now }: Props) {
  const { days, lowStock, figuresAge } = overview
  const scarce = lowStock.low + lowStock.soldOut > 0
  if (!overview.hasOrders) {
    return (
      <div className="grid gap-6">
        <FirstStepsPanel done={overview.firstSteps} />
        <Attention attention={overview.attention} />
        <NothingYet hasParts={overview.hasParts} />
        {scarce && <LowStock stock={lowStock} />}
      </div>
    )
  }
  return (
    <div className="grid gap-6">
      <FirstStepsPanel done={overview.firstSteps} />
      <Attention attention={overview.attention} />
      <div className="grid gap-2">
        <Periods periods={overview.periods} />
        {figuresAge !== null && (
          <p className="text-[0.8125rem] text-dim">
            Revenue, orders and best sellers come from the replica, {dataAge(figuresAge)}.
          </p>
        )}
      </div>
      <div className="grid items-start gap-6 md:grid-cols-2 *:h-full">
        <ToShip list={overview.toShip} now={now} />
        <Holds list={overview.holds} now={now} />
        <Suspense
          fallback={['Revenue', 'Orders'].map((name) => (
            <div key={name} className="card min-h-72" />
          ))}
        >
          <DayCharts days={days} />
        </Suspense>
        <DaysTable days={days} />
        <BestSellers parts={overview.bestSellers} />
        <LowStock stock={lowStock} />
      </div>
    </div>
  )
}
