import { Link } from 'react-router'
import type { Issue, Repair } from '#contracts/reconciliation.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { useRepair } from './queries.ts'

const repairLabels: Record<Repair, string> = {
  settle: 'Settle the payment',
  syncRefunds: 'Check the refunds',
  makeRefund: 'Make the refund',
  sendMail: 'Send now',
  expireHold: 'End the hold',
  removeFile: 'Remove the files',
}

const records = [
  ['ours', 'Our record'],
  ['provider', 'Card provider'],
  ['ledger', 'Stock ledger'],
] as const

function pageOf({ about, orderId }: Issue): string | null {
  if (orderId) return `/dashboard/order/${orderId}`
  return about.startsWith('part:') ? `/dashboard/products/${about.slice('part:'.length)}` : null
}

/**
 * The name of the issue's subject, linked to the screen that manages it, and its id at the provider
 * or here.
 */
function Subject({ issue }: { issue: Issue }) {
  const { about, name } = issue
  const page = pageOf(issue)
  const id = about.slice(about.indexOf(':') + 1)
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-0.5">
      {page ? (
        <Link to={page} className="link">
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
      {id !== name && <span className="figure break-all text-dim text-xs">{id}</span>}
    </p>
  )
}

/**
 * Money has records in all three places; for other subjects only the existing records are shown.
 */
function Records({ issue }: { issue: Issue }) {
  const isMoney = ['payment', 'refund', 'order'].includes(issue.type)
  const shownRecords = records.filter(([record]) => isMoney || issue[record])
  return (
    <dl
      className={`wrap-anywhere grid gap-x-6 gap-y-1.5 border-line border-t pt-3.5 text-sm @xl/money:grid-cols-3 ${issue.repair ? '@xl/money:col-span-full' : ''}`}
    >
      {shownRecords.map(([record, title]) => (
        <div
          key={record}
          className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-0.5 @xl/money:block @xl/money:only:col-span-full"
        >
          <dt className="label">{title}</dt>
          <dd className={issue[record] ? 'figure' : 'text-dim'}>{issue[record] ?? 'no record'}</dd>
        </div>
      ))}
    </dl>
  )
}

type Props = { issue: Issue; onRepaired: () => void }

/**
 * One issue: the problem, the records side by side, and the repair, or advice if no repair is safe.
 */
export function IssueCard({ issue, onRepaired }: Props) {
  const { type, words, name, about, repair, advice } = issue
  const repairing = useRepair(onRepaired)
  return (
    <li
      className={`card grid gap-x-6 gap-y-3.5 px-5 py-4.5 ${repair ? 'grid-cols-[minmax(0,1fr)] @xl/money:grid-cols-[minmax(0,1fr)_auto]' : 'grid-cols-[minmax(0,1fr)]'}`}
    >
      <div className="wrap-anywhere grid min-w-0 gap-1">
        <p className="label">{type}</p>
        <h3 className="font-semibold text-pretty">{words}</h3>
        <Subject issue={issue} />
      </div>
      {repair && (
        <div className="self-center">
          <RowButton
            busy={repairing.isPending}
            aria-label={`${repairLabels[repair]}: ${name}`}
            onClick={() => {
              if (!repairing.isPending) repairing.mutate({ repair, about })
            }}
          >
            {repairLabels[repair]}
          </RowButton>
        </div>
      )}
      <Records issue={issue} />
      {advice && (
        <p className="wrap-anywhere max-w-[68ch] text-pretty text-[0.9375rem]">{advice}</p>
      )}
    </li>
  )
}
