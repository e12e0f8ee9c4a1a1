import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { counted, whole } from '#contracts/counted.ts'
import type { PaymentSpan } from '#contracts/lists.ts'
import { type CheckReport, comparedDays, type Issue } from '#contracts/reconciliation.ts'
import { dayIn } from '#contracts/shop-days.ts'
import { Button } from '#web/components/button.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListDate } from '#web/components/list-tools.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { csvDecimals } from '#web/lib/lists/list-page.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { IssueCard } from './issue-card.tsx'
import { oldestOrderQuery, paymentSumsQuery, reconciliationQuery } from './queries.ts'

/** The first and the last day of the month of `today`, or of an earlier one. */
function monthDays(today: string, monthsAgo: number): { from: string; to: string } {
  const now = new Date(today)
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10)
  const month = now.getUTCMonth() - monthsAgo
  return { from: day(month, 1), to: day(month + 1, 0) }
}

/** The last month or, if the shop has no older order, this month. */
function useMonthToExport(): { from: string; to: string } {
  const { data: oldest } = useQuery(oldestOrderQuery())
  const { timeZone } = useShop().facts
  const today = dayIn(timeZone, serverTime())
  const thisMonth = monthDays(today, 0)
  const firstDay = dayIn(timeZone, oldest?.[0]?.createdAt ?? serverTime())
  return oldest !== undefined && firstDay >= thisMonth.from ? thisMonth : monthDays(today, 1)
}

/** What the figures of the card fees leave out. */
const feesText = (unknown: number, isForeign: boolean) =>
  [
    '‘Left’ is before card fees.',
    ...(unknown > 0
      ? [`The card provider hasn’t reported the fee for ${counted(unknown, 'payment')} yet.`]
      : []),
    ...(isForeign
      ? ['Your account there is in another currency, so these fees aren’t included.']
      : []),
  ].join(' ')

/** Payments and refunds on these days, the difference, and what the card provider took. */
function Sums({ days }: { days: PaymentSpan }) {
  const money = useMoney()
  const own = useCurrency()
  const { data, error } = useQuery(paymentSumsQuery(days))
  if (error) return <p className="mt-4 text-danger text-sm">{error.message}</p>
  if (!data) return <Skeleton className="mt-4 h-38 sm:h-23" />
  const { payments, refunds, sentBack, net, fees, feesUnknown } = data
  const figures = [
    [counted(payments.count, 'payment'), payments.amount],
    [counted(refunds.count, 'refund'), -refunds.amount],
    ...(sentBack.count > 0
      ? [[`${counted(sentBack.count, 'refund')} sent back`, sentBack.amount] as const]
      : []),
    ['Left', net],
  ] as const
  return (
    <div className="mt-4 min-h-38 sm:min-h-23">
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {figures.map(([name, amount]) => (
          <div key={name}>
            <dt className="label">{name}</dt>
            <dd className="font-bold font-display text-2xl/[1.2] tabular-nums">{money(amount)}</dd>
          </div>
        ))}
        {fees.map(({ currency, amount }) => (
          <div key={currency}>
            <dt className="label">Card fees</dt>
            <dd className="font-bold font-display text-2xl/[1.2] tabular-nums">
              {currency === own ? money(-amount) : `${-amount} ${currency}`}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 max-w-[68ch] text-pretty text-dim text-sm">
        {feesText(
          feesUnknown,
          fees.some(({ currency }) => currency !== own),
        )}
      </p>
    </div>
  )
}

/** All payments and refunds of a period: sums, and a file for the bookkeeper. */
function CsvSection() {
  const month = useMonthToExport()
  const [chosen, choose] = useState<Partial<typeof month>>({})
  const { from, to } = { ...month, ...chosen }
  const days = { ...(from && { from }), ...(to && { to }) }
  const zoneWords = useShop().facts.timeZone.replaceAll('_', ' ')
  return (
    <section aria-labelledby="books" className="mt-10">
      <h2 id="books" className="font-display font-semibold text-xl tracking-tight">
        For your books
      </h2>
      <p className="mt-1 max-w-[68ch] text-pretty text-dim text-sm">
        Payments and refunds, one per line: day, amount, order, the card provider’s reference,
        reason and card fee. Invoices and credit notes, one per line. And for each month, the tax by
        rate and region, the money received and the card fees. Days start at midnight in {zoneWords}
        .
      </p>
      <div className="mt-4 grid grid-cols-2 items-end gap-3 md:flex md:flex-wrap">
        <ListDate
          label="From"
          value={from}
          onChange={(day) => choose((days) => ({ ...days, from: day }))}
        />
        <ListDate
          label="To"
          value={to}
          onChange={(day) => choose((days) => ({ ...days, to: day }))}
        />
        <ExportButton
          name="payments"
          words="Export payments"
          onExport={() =>
            api['payments.csv'].$get({
              query: { ...days, decimals: csvDecimals() },
            })
          }
        />
        <ExportButton
          name="invoices"
          words="Export invoices"
          onExport={() => api['invoices.csv'].$get({ query: { ...days, decimals: csvDecimals() } })}
        />
        <ExportButton
          name="months"
          words="Export months"
          onExport={() => api['months.csv'].$get({ query: { ...days, decimals: csvDecimals() } })}
        />
      </div>
      <Sums days={days} />
    </section>
  )
}

export const meta = titled('Money')

/** The numbers of compared records, which give 'agrees' its meaning. */
function Compared({ report }: { report: CheckReport }) {
  const { payments, orders, parts, pictures, mails } = report.compared
  const isSilent = report.provider === 'silent'
  const rows = [
    [
      `Payments from the last ${comparedDays} days, including unfinished ones, with the card provider`,
      isSilent ? 'not compared' : whole(payments),
    ],
    ['Orders, including deleted ones, with their payments, refunds and holds', whole(orders)],
    ['Products, including drafts and deleted ones, with the stock ledger', whole(parts)],
    ['Pictures, with their files', whole(pictures)],
    ['Emails, with whether they were sent', whole(mails)],
  ]
  return (
    <dl className="mt-3 border-line border-t">
      {rows.map(([name, value]) => (
        <div
          key={name}
          className="flex items-baseline justify-between gap-6 border-line border-b py-2.5"
        >
          <dt>{name}</dt>
          <dd className="figure flex-none text-sm">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function summary({ provider, issues }: CheckReport): string {
  if (issues.length === 0) {
    return provider === 'silent' ? 'Everything else matches' : 'Everything matches'
  }
  return counted(issues.length, 'issue')
}

type GroupProps = { title: string; issues: Issue[]; onRepaired: () => void }

function Group({ title, issues, onRepaired }: GroupProps) {
  if (issues.length === 0) return null
  return (
    <>
      <h2 className="mt-8 font-display font-semibold text-lg tracking-tight [p+&]:mt-4">
        {title} <span className="figure ms-1 font-normal text-dim text-sm">{issues.length}</span>
      </h2>
      <ul className="mt-3 grid gap-3">
        {issues.map((issue) => (
          <IssueCard
            key={`${issue.type} ${issue.about} ${issue.words}`}
            issue={issue}
            onRepaired={onRepaired}
          />
        ))}
      </ul>
    </>
  )
}

function Issues({ report }: { report: CheckReport }) {
  const outcome = useRef<HTMLParagraphElement>(null)
  const { issues, provider } = report
  const onRepaired = () => outcome.current?.focus()
  return (
    <>
      {provider === 'silent' && (
        <p role="alert" className="card mt-6 text-pretty border-edge px-5 py-4">
          The card provider isn’t answering or refuses your shop’s key, so payments couldn’t be
          compared. Try again in a minute; everything else is below.
        </p>
      )}
      <p
        ref={outcome}
        tabIndex={-1}
        role="status"
        className="mt-8 flex w-fit items-center gap-3 font-display font-semibold text-2xl tracking-tight"
      >
        {issues.length === 0 && provider === 'answered' && (
          <span aria-hidden="true" className="size-3.5 rounded-full border-3 border-green" />
        )}
        {summary(report)}
      </p>
      <Group
        title="Safe to repair"
        issues={issues.filter(({ repair }) => repair)}
        onRepaired={onRepaired}
      />
      <Group
        title="Fix by hand"
        issues={issues.filter(({ repair }) => !repair)}
        onRepaired={onRepaired}
      />
      <section aria-labelledby="compared" className="mt-10">
        <h2 id="compared" className="font-display font-semibold text-xl tracking-tight">
          What we compared
        </h2>
        <Compared report={report} />
      </section>
    </>
  )
}

/** Our records, the card provider's and the stock ledger side by side where they disagree. */
export default function ReconciliationScreen() {
  const { data, error, refetch, isFetching } = useQuery(reconciliationQuery())
  const leaving = useSignedOutUnlessAdmin(error)
  return (
    <section aria-labelledby="money" className="@container/money min-h-svh">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 id="money" tabIndex={-1} className="text-4xl font-bold tracking-tight">
            Money
          </h1>
          <p className="mt-2 max-w-[56ch] text-pretty text-dim">
            Where your records, the card provider’s and the stock ledger don’t match. A repair only
            checks again, sends, releases or removes: it never invents money or stock.
          </p>
        </div>
        <div className="grid justify-items-start gap-1.5">
          <Button
            className="min-w-44"
            variant="quiet"
            loading={isFetching}
            loadingText="comparing"
            onClick={() => void refetch()}
          >
            Compare again
          </Button>
          <p className="figure text-dim text-xs">
            {data ? <time dateTime={data.at}>{shortMoment(data.at)}</time> : '\u00a0'}
          </p>
        </div>
      </div>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-8 h-96" />}
      {data && <Issues report={data} />}
      {data && <CsvSection />}
    </section>
  )
}
