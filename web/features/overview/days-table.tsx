import { dollars } from '#contracts/money.ts'
import type { Day } from '#contracts/overview.ts'
import { shortDate, whole } from './text.ts'

/** What the charts draw, to be read: one line a day, today first. */
export function DaysTable({ days }: { days: Day[] }) {
  return (
    <details className="md:col-span-2">
      <summary className="min-h-6 w-fit cursor-pointer text-copper">
        The numbers of both charts as a table
      </summary>
      <table className="days-table">
        <caption className="sr-only">Orders and revenue per day, today first</caption>
        <thead>
          <tr>
            {['Day', 'Orders', 'of those paid', 'Revenue'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, orders, paid, revenue }) => (
            <tr key={date}>
              <th scope="row">{shortDate(date)}</th>
              <td>{whole(orders)}</td>
              <td>{whole(paid)}</td>
              <td>{dollars(revenue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
