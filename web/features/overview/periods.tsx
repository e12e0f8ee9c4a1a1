import type { Period } from '#contracts/overview.ts'
import { describePeriod, type Figure } from './text.ts'

function FigureOf({ name, figure, big }: { name: string; figure: Figure; big?: boolean }) {
  return (
    <div className={big ? 'period-figure period-figure-big' : 'period-figure'}>
      <dt className="label">{name}</dt>
      <dd className="period-value">{figure.value}</dd>
      <dd className="period-change">
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

/** Today and the last days, each beside the days before. */
export function Periods({ periods }: { periods: Period[] }) {
  return (
    <div className="panel periods">
      {periods.map((period) => {
        const { title, revenue, orders, share } = describePeriod(period)
        return (
          <section key={period.days} aria-label={title} className="period">
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
