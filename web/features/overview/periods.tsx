import type { Period } from '#contracts/overview.ts'
import { describePeriod, type Figure } from './text.ts'

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

/** Today and the last days, each beside the days before. */
export function Periods({ periods }: { periods: Period[] }) {
  return (
    <div className="card grid min-w-0 px-6 md:grid-cols-3 md:px-0">
      {periods.map((period) => {
        const { title, revenue, orders, share } = describePeriod(period)
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
