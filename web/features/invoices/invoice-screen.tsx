import '#web/styles/invoice.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { wordsOf } from '#contracts/invoice-words.ts'
import type { Invoice } from '#contracts/invoices.ts'
import { leadOf } from '#contracts/orders.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { NoSuchOrder } from '#web/features/orders/order-status.tsx'
import { checkoutQuery } from '#web/features/orders/queries.ts'
import { callShop } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import type { Route } from './+types/invoice-screen'
import { invoiceQuery } from './queries.ts'

export const meta = titled('Invoice')

function Block({ heading, lines }: { heading: string; lines: string[] }) {
  if (lines.length === 0) return null
  return (
    <div>
      <h2 className="text-dim text-sm">{heading}</h2>
      {lines.map((line, i) => (
        <p key={i} className="wrap-anywhere">
          {line}
        </p>
      ))}
    </div>
  )
}

/** The paper itself: alone on the page when it is printed. */
function Paper({ document }: Pick<Invoice, 'document'>) {
  const { title, facts, seller, buyer, deliveredTo, columns, rows, sums } = wordsOf(document)
  return (
    <article className="paper card">
      <div className="paper-parties">
        <Block heading="From" lines={seller} />
        <Block heading="To" lines={buyer} />
        <Block heading="Delivered to" lines={deliveredTo} />
      </div>
      <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
        {title}
      </h1>
      <dl className="paper-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <table className="paper-lines">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((text, column) => (
                <td key={columns[column]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="paper-sums">
        {sums.map(([label, value]) => (
          <div key={label} className={label === 'Total' ? 'font-semibold' : ''}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

/** Leads back to the order that the paper is about. */
function OrderLink({ invoice }: { invoice: Invoice }) {
  const { data: checkout } = useQuery(checkoutQuery(invoice))
  const [first, ...more] = checkout?.orders ?? []
  if (!first) return null
  const { _id, number } = leadOf([first, ...more])
  return (
    <Link to={`/dashboard/order/${_id}`} className="button button-quiet">
      Order {number}
    </Link>
  )
}

/** Saves the PDF of a paper. */
function PdfButton({ _id, document }: Invoice) {
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      await saveFile(await callShop(`/api/invoice/${_id}/pdf`), `${document.number}.pdf`)
    } catch (error) {
      if (error instanceof Error) void toast('error', error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="quiet"
      loading={isBusy}
      loadingText="Making the PDF…"
      onClick={() => void save()}
    >
      Save as PDF
    </Button>
  )
}

/** An invoice or a credit note, to read, print and save. */
export default function InvoiceScreen({ params: { id } }: Route.ComponentProps) {
  const { data, error, refetch, isFetching } = useQuery(invoiceQuery(id))
  const leaving = useSignedOutBy(error)
  usePageTitle(data && wordsOf(data.document).title)
  if (isUnknown(error)) return <NoSuchOrder />
  return (
    <section aria-label="Invoice" aria-busy={!data} className="max-w-3xl">
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="min-h-dvh w-full rounded-card" />}
      {data && (
        <>
          <Paper document={data.document} />
          <div className="mt-6 flex flex-wrap gap-3 print:hidden">
            <Button onClick={() => print()}>Print</Button>
            <PdfButton {...data} />
            <OrderLink invoice={data} />
          </div>
        </>
      )}
    </section>
  )
}
