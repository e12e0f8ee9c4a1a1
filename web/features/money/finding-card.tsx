import { Link } from 'react-router'
import type { Finding, Repair } from '#contracts/findings.ts'
import { RowButton } from '#web/components/row-button.tsx'

const deeds: Record<Repair, string> = {
  settle: 'Settle the payment',
  readRefunds: 'Read the refunds',
  makeRefund: 'Make the refund',
  sendMail: 'Send now',
  lapseHold: 'End the hold',
  removeFile: 'Remove the files',
}

const records = [
  ['ours', 'Our record'],
  ['provider', 'Card provider'],
  ['ledger', 'Stock ledger'],
] as const

function pageOf({ about, orderId }: Finding): string | null {
  if (orderId) return `/dashboard/order/${orderId}`
  return about.startsWith('part:') ? `/dashboard/products/${about.slice('part:'.length)}` : null
}

/** The name of what it is about, leading to where it is looked after, and its id at the provider or here. */
function Subject({ finding }: { finding: Finding }) {
  const { about, name } = finding
  const page = pageOf(finding)
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

type Props = { finding: Finding; busy: boolean; onRepair: (repair: Repair) => void }

/** One disagreement: what is wrong, the three records side by side, and the repair where one is safe. */
export function FindingCard({ finding, busy, onRepair }: Props) {
  const { kind, words, name, repair, advice } = finding
  return (
    <li className="finding">
      <div className="finding-head">
        <p className="label">{kind}</p>
        <h2 className="font-semibold text-pretty">{words}</h2>
        <Subject finding={finding} />
      </div>
      <dl className="finding-records">
        {records.map(([record, title]) => (
          <div key={record}>
            <dt className="label">{title}</dt>
            <dd className={finding[record] ? 'figure' : 'text-dim'}>
              {finding[record] ?? 'says nothing'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="finding-deed">
        {repair ? (
          <RowButton
            busy={busy}
            aria-label={`${deeds[repair]}: ${name}`}
            onClick={() => onRepair(repair)}
          >
            {deeds[repair]}
          </RowButton>
        ) : (
          <p className="finding-advice">{advice}</p>
        )}
      </div>
    </li>
  )
}
