import { type Columns, timeCell } from '#server/http/lists.ts'
import type { TransactionRow } from './transactions.ts'

/** One line per transaction for the bookkeeper: received money is positive, refunds are negative. */
export const paymentsAsCsv: { name: string; columns: Columns<TransactionRow> } = {
  name: 'ferrite-payments',
  columns: {
    'Date (UTC)': ({ at }) => timeCell(at.toISOString()),
    Type: ({ type }) => type,
    'Order number': ({ number }) => number,
    Amount: ({ cents }) => ({ cents }),
    Currency: () => 'USD',
    'Provider’s reference': ({ reference }) => reference,
    'Of payment': ({ paymentId }) => paymentId,
    Reason: ({ reason }) => reason,
    'Asked for by': ({ by }) => by,
    Product: ({ product }) => product,
    Customer: ({ customer }) => customer,
    'E-mail': ({ email }) => email,
    Order: ({ orderId }) => orderId,
  },
}
