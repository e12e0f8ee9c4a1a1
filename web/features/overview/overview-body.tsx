import { lazy, Suspense } from 'react'
import type { Overview } from '#contracts/overview.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { withTimeout } from '#web/lib/load-script.ts'
import { Attention } from './attention.tsx'
import { DaysTable } from './days-table.tsx'
import { BestSellers, LowStock } from './part-lists.tsx'
import { Periods } from './periods.tsx'
import { Holds, ToShip } from './waiting-lists.tsx'

const loadCharts = withTimeout(() => import('./day-charts.tsx'))
const DayCharts = lazy(loadCharts)

/** What a new shop needs first. */
function NothingYet({ hasParts }: { hasParts: boolean }) {
  const action = hasParts ? (
    <ButtonLink to="/">See your shop</ButtonLink>
  ) : (
    <ButtonLink to="/dashboard/addProduct">Add a product</ButtonLink>
  )
  return (
    <EmptyState title="No orders yet" action={action}>
      {hasParts
        ? 'Your parts are on sale. Orders, revenue and what waits to be shipped will be here as soon as the first one is booked.'
        : 'Nothing is on sale yet. Add your first part; once it is booked, orders and revenue will be here.'}
    </EmptyState>
  )
}

type Props = {
  overview: Overview
  /** ms since 1970 */
  now: number
}

/** All figures and lists of the overview. */
export function OverviewBody({ overview, now }: Props) {
  const { days, lowStock } = overview
  const scarce = lowStock.low + lowStock.soldOut > 0
  if (!overview.hasOrders) {
    return (
      <div className="grid gap-6">
        <Attention attention={overview.attention} />
        <NothingYet hasParts={overview.hasParts} />
        {scarce && <LowStock stock={lowStock} />}
      </div>
    )
  }
  return (
    <div className="grid gap-6">
      <Attention attention={overview.attention} />
      <Periods periods={overview.periods} />
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
