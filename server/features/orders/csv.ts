import type { Order } from '#contracts/orders.ts'
import { phoneCell } from '#server/http/csv.ts'
import { type Columns, timeCell } from '#server/http/lists.ts'

const dollarsCell = (dollars: number) => ({ cents: Math.round(dollars * 100) })

/** One line per order, amounts in dollars, the part as it was booked. */
export const ordersAsCsv: { name: string; columns: Columns<Order> } = {
  name: 'ferrite-orders',
  columns: {
    'Order number': ({ number }) => number,
    Order: ({ _id }) => _id,
    'Booked (UTC)': ({ createdAt }) => timeCell(createdAt),
    'Paid (UTC)': ({ paidAt }) => timeCell(paidAt),
    'Shipped (UTC)': ({ shippedAt }) => timeCell(shippedAt),
    // screens call a paid order 'pending', which a bookkeeper would read as not paid
    Status: ({ status }) => status,
    Product: ({ product }) => product,
    'Product id': ({ partId }) => partId,
    Quantity: ({ quantity }) => quantity,
    'Unit price': ({ price }) => dollarsCell(price),
    Total: ({ totalPrice }) => dollarsCell(totalPrice),
    Refunded: ({ refunded }) => dollarsCell(refunded),
    Customer: ({ customer }) => customer,
    'E-mail': ({ email }) => email,
    Phone: ({ phone }) => phoneCell(phone),
    'Transaction id': ({ transactionId }) => transactionId,
    Carrier: ({ carrier }) => carrier,
    'Tracking number': ({ trackingNumber }) => trackingNumber,
  },
}
