import { Link } from 'react-router'
import type { Issue, Repair } from '#contracts/reconciliation.ts'
import { RowButton } from '#web/components/row-button.tsx'
import { useRepair } from './queries.ts'

const repairLabels: Record<Repair, string> = {
  settle: 'Settle the payment',
  readRefunds: 'Read the refunds',
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

/** The name of what it is about, leading to where it is looked after, and its id at the provider or here. */
function Subject({ issue }: { issue: Issue }) {
  const { about, name } = issue
  const page = pageOf(issue)
  const id = about.slice(about.indexOf(':') + 1)
  return (
    <p className="finding-subject">
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

/** Money is compared by all three; of other things only those that know of them are shown. */
function Records({ issue }: { issue: Issue }) {
  const isMoney = ['payment', 'refund', 'order'].includes(issue.type)
  const shown = records.filter(([record]) => isMoney || issue[record])
  return (
    <dl className="finding-records">
      {shown.map(([record, title]) => (
        <div key={record}>
          <dt className="label">{title}</dt>
          <dd className={issue[record] ? 'figure' : 'text-dim'}>
            {issue[record] ?? 'says nothing'}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Props = { issue: Issue; onRepaired: () => void }

/** One disagreement: what is wrong, the records side by side, and the repair, or what to do where none is safe. */
export function IssueCard({ issue, onRepaired }: Props) {
  const { type, words, name, about, repair, advice } = issue
  const repairing = useRepair(onRepaired)
  return (
    <li className="finding">
      <div className="finding-head">
        <p className="label">{type}</p>
        <h3 className="font-semibold text-pretty">{words}</h3>
        <Subject issue={issue} />
      </div>
      {repair && (
        <div className="issue-action">
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
      {advice && <p className="finding-advice">{advice}</p>}
    </li>
  )
}
