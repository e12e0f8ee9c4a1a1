import { dollars } from '#contracts/money.ts'
import type { Day } from '#contracts/overview.ts'
import { shortDate, whole } from './text.ts'

const cell = 'border-line border-b px-2 py-1.5 text-end font-normal first:ps-0 first:text-start'

/** What the charts draw, to be read: one line a day, today first. */
export function DaysTable({ days }: { days: Day[] }) {
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
              <td className={cell}>{dollars(revenue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
