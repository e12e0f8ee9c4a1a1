import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { StockLine } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { ledgerQuery } from './admin-queries.ts'

const words: Record<StockLine['type'], string> = {
  receive: 'received',
  adjust: 'corrected',
  hold: 'held for an order',
  release: 'hold released',
  sell: 'sold',
  restock: 'put back after a refund',
}

const signed = (change: number) => (change > 0 ? `+${change}` : `−${-change}`)

/** What a line changed: the units on hand, or the units held. */
function changeOf({ onHandDelta, reservedDelta }: StockLine): string {
  if (onHandDelta === 0) return `${signed(reservedDelta)} held`
  return signed(onHandDelta)
}

function LedgerRow({ line }: { line: StockLine }) {
  return (
    <tr>
      <td className="ledger-when text-dim">
        <time dateTime={line.createdAt}>{shortMoment(line.createdAt)}</time>
      </td>
      <td className="ledger-what">
        <span className="font-semibold">{words[line.type]}</span>
        {line.reason && <span className="text-dim"> · {line.reason}</span>}
        {line.orderId && (
          <>
            {' · '}
            <Link to={`/dashboard/order/${line.orderId}`} className="link">
              order {line.orderId.slice(0, 8)}
            </Link>
          </>
        )}
      </td>
      <td data-label="Change" className="ledger-change figure whitespace-nowrap">
        {changeOf(line)}
      </td>
      <td data-label="On hand" className="ledger-hand figure">
        {line.onHand}
      </td>
      <td data-label="Held" className="ledger-held figure">
        {line.reserved}
      </td>
      <td data-label="Available" className="ledger-available figure">
        {line.onHand - line.reserved}
      </td>
    </tr>
  )
}

/** Every change of a part's stock, newest first, with what it left. */
export function LedgerTable({ partId }: { partId: string }) {
  const ledger = useInfiniteQuery(ledgerQuery(partId))
  if (!ledger.data) {
    return ledger.error ? (
      <ErrorState message={ledger.error.message} onRetry={() => ledger.refetch()} />
    ) : (
      <Skeleton className="h-40" />
    )
  }
  const lines = ledger.data.pages.flatMap((page) => page.lines)
  if (lines.length === 0) return <p className="text-dim">No stock has come or gone yet.</p>
  return (
    <div className="list">
      <table className="list-table ledger-list">
        <caption className="sr-only">Stock ledger, newest first</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col" className="figure">
              Change
            </th>
            <th scope="col" className="figure">
              On hand
            </th>
            <th scope="col" className="figure">
              Held
            </th>
            <th scope="col" className="figure">
              Available
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LedgerRow key={line._id} line={line} />
          ))}
        </tbody>
      </table>
      {ledger.hasNextPage && (
        <Button
          variant="quiet"
          className="mt-5"
          loading={ledger.isFetchingNextPage}
          onClick={() => ledger.fetchNextPage()}
        >
          Older lines
        </Button>
      )}
    </div>
  )
}
