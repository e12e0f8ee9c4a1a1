import { useState } from 'react'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListDate } from '#web/components/list-tools.tsx'
import { api } from '#web/lib/api.ts'
import { csvDecimals } from '#web/lib/csv-decimals.ts'
import { serverTime } from '#web/lib/server-clock.ts'

/** The first and the last day of the month before, in UTC as the lines of the file are. */
function lastMonth(): { from: string; to: string } {
  const now = new Date(serverTime())
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10)
  const month = now.getUTCMonth()
  return { from: day(month - 1, 1), to: day(month, 0) }
}

/** Every payment and refund of some days as a file for the bookkeeper. */
export function CsvSection() {
  const [{ from, to }, setDays] = useState(lastMonth)
  return (
    <section aria-labelledby="books" className="mt-10">
      <h2 id="books" className="font-display font-semibold text-xl tracking-tight">
        For your books
      </h2>
      <p className="mt-1 max-w-[68ch] text-pretty text-dim text-sm">
        Each payment and each refund on a line of its own: day, amount, order, the card provider’s
        reference, reason. Days are of UTC.
      </p>
      <div className="mt-4 grid grid-cols-2 items-end gap-3 md:flex md:flex-wrap">
        <ListDate
          label="From"
          value={from}
          onChange={(day) => setDays((days) => ({ ...days, from: day }))}
        />
        <ListDate
          label="To"
          value={to}
          onChange={(day) => setDays((days) => ({ ...days, to: day }))}
        />
        <ExportButton
          name="payments"
          words="Export payments"
          onExport={() =>
            api['payments.csv'].$get({
              query: { ...(from && { from }), ...(to && { to }), decimals: csvDecimals() },
            })
          }
        />
      </div>
    </section>
  )
}
