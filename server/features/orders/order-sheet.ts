import { shownStatus } from '#contracts/lists.ts'
import type { Order } from '#contracts/orders.ts'
import type { Columns } from '#server/streamed-list.ts'

/** As spreadsheets read a date and time; the column says that it is of UTC. */
const time = (moment: string | null) => moment?.slice(0, 19).replace('T', ' ') ?? null

/** One line for each order, amounts in dollars. What the customer bought is in it as it was when they booked. */
export const orderSheet: { name: string; columns: Columns<Order> } = {
  name: 'ferrite-orders',
  columns: {
    'Order number': ({ number }) => number,
    Order: ({ _id }) => _id,
    'Booked (UTC)': ({ createdAt }) => time(createdAt),
    'Paid (UTC)': ({ paidAt }) => time(paidAt),
    'Shipped (UTC)': ({ shippedAt }) => time(shippedAt),
    Status: ({ status }) => shownStatus(status),
    Product: ({ product }) => product,
    'Product id': ({ partId }) => partId,
    Quantity: ({ quantity }) => quantity,
    'Unit price': ({ price }) => price,
    Total: ({ totalPrice }) => totalPrice,
    Refunded: ({ refunded }) => refunded,
    Customer: ({ customer }) => customer,
    'E-mail': ({ email }) => email,
    Phone: ({ phone }) => phone,
    'Transaction id': ({ transactionId }) => transactionId,
    Carrier: ({ carrier }) => carrier,
    'Tracking number': ({ trackingNumber }) => trackingNumber,
  },
}
