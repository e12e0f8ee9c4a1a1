import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { counted, whole } from '#contracts/counted.ts'
import { currencies } from '#contracts/money.ts'
import type { Day } from '#contracts/overview.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { Panel } from './panel.tsx'
import { shortDate } from './text.ts'

/** Round step sizes. */
const handy = [1, 2, 3, 4, 5, 10]

const stepFor = (least: number) => {
  const power = 10 ** Math.floor(Math.log10(least))
  return (handy.find((step) => step * power >= least) ?? 10) * power
}

/**
 * The axis lines that cover all values: whole numbers in even steps, zero and two lines above it
 * included.
 */
export function scaleOf(values: number[]): number[] {
  const [high, low] = [Math.max(0, ...values), Math.min(0, ...values)]
  const step = stepFor(Math.max(1, high / 2, -low / 2))
  const below = Math.ceil(-low / step)
  return Array.from({ length: below + 3 }, (_, nth) => (nth - below) * step)
}

type Measure = 'revenue' | 'orders'
type TipProps = {
  active?: boolean
  payload?: readonly { payload?: Day }[]
  say: (day: Day) => string
}

/** The tooltip of the day under the pointer or selected by arrow keys. */
function Tip({ active, payload, say }: TipProps) {
  const day = payload?.[0]?.payload
  return (
    <p
      role="status"
      className={
        active && day
          ? 'whitespace-nowrap rounded-xl border border-edge bg-card px-3 py-1.5 font-mono text-[0.8125rem] text-ink'
          : 'sr-only'
      }
    >
      {active && day && `${shortDate(day.date)}: ${say(day)}`}
    </p>
  )
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' })
const axis = { fill: 'var(--color-dim)', fontFamily: 'var(--font-mono)', fontSize: 12 }
/** Today's bar is copper. */
const barColour = (isToday: boolean) => (isToday ? 'var(--color-copper)' : 'var(--color-dim)')

type ChartProps = {
  days: Day[]
  measure: Measure
  name: string
  say: (day: Day) => string
  tick: (value: number) => string
}

function DayChart({ days, measure, name, say, tick }: ChartProps) {
  const dates = days.map(({ date }) => date)
  const ticks = [dates.at(0), dates.at(Math.floor(dates.length / 2)), dates.at(-1)]
  const lines = scaleOf(days.map((day) => day[measure]))
  const bars = days.map((day, i) => ({ ...day, fill: barColour(i === days.length - 1) }))
  return (
    <div className="min-h-52 flex-1 tabular-nums">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={bars}
          aria-label={`${name} for the last ${days.length} days; use the arrow keys to move between days`}
          margin={{ top: 8, right: 20, bottom: 0, left: 0 }}
          barCategoryGap="22%"
        >
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis
            dataKey="date"
            ticks={ticks.filter((date) => date !== undefined)}
            interval={0}
            tickFormatter={shortDate}
            tick={axis}
            tickLine={false}
            axisLine={{ stroke: 'var(--color-edge)' }}
          />
          <YAxis
            width={48}
            domain={[lines.at(0) ?? 0, lines.at(-1) ?? 0]}
            ticks={lines}
            interval={0}
            tickFormatter={tick}
            tick={axis}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            cursor={{ fill: 'var(--color-plate)' }}
            isAnimationActive={false}
            content={({ active, payload }) => <Tip active={active} payload={payload} say={say} />}
          />
          <Bar dataKey={measure} isAnimationActive={false} radius={[2, 2, 0, 0]} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

/** Names the day with the highest value; undefined if all are zero. */
function mostOf(days: Day[], measure: Measure, say: (day: Day) => string): string | undefined {
  const best = days.reduce((high, day) => (day[measure] > high[measure] ? day : high))
  return best[measure] > 0 ? `most on ${shortDate(best.date)}: ${say(best)}` : undefined
}

/** Revenue and orders day by day; today's bar is copper. */
export default function DayCharts({ days }: { days: Day[] }) {
  const money = useMoney()
  const currency = useCurrency()
  const ofRevenue = (day: Day) => money(day.revenue)
  const ofOrders = (day: Day) => counted(day.orders, 'order')
  return (
    <>
      <Panel
        className="min-h-72"
        title="Revenue per day"
        aside={mostOf(days, 'revenue', ofRevenue)}
      >
        <DayChart
          days={days}
          measure="revenue"
          name="Revenue per day"
          say={ofRevenue}
          tick={(value) => `${currencies[currency].sign}${compact.format(value)}`}
        />
      </Panel>
      <Panel
        className="min-h-72"
        title="Orders per day"
        aside={mostOf(days, 'orders', ({ orders }) => whole(orders))}
      >
        <DayChart
          days={days}
          measure="orders"
          name="Orders per day"
          say={ofOrders}
          tick={(value) => compact.format(value)}
        />
      </Panel>
    </>
  )
}
