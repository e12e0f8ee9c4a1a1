import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { dollars } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { EmailWords } from '#web/components/email-words.tsx'
import { Picture } from '#web/components/picture.tsx'
import { DeleteOrderButton } from './delete-order-button.tsx'
import { OrderStatus } from './order-status.tsx'

type Props = {
  orders: Order[]
  now: number
  isConfirming: (order: Order) => boolean
  onDelete: (order: Order) => void
}

const columns = [
  '#',
  'Product image',
  'Name and email',
  'Quantity',
  'Total price',
  'Delete',
  'Status',
]

/** A cell that carries its column's name on a phone, where rows are cards and the head is hidden. */
function Cell({
  label,
  children,
  className = '',
}: {
  label?: string
  children: ReactNode
  className?: string
}) {
  return (
    <td className={`md:px-2 md:py-4 md:align-middle xl:px-3 ${className}`}>
      {label && (
        <span aria-hidden="true" className="block font-mono text-xs text-dim md:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  )
}

function OrderRow({
  order,
  index,
  ...rest
}: Omit<Props, 'orders'> & { order: Order; index: number }) {
  const figure = 'font-mono tabular-nums'
  return (
    <tr className="grid grid-cols-[5rem_1fr_auto] items-start gap-x-4 gap-y-3 border-line border-t py-5 md:table-row md:py-0">
      <Cell className={`hidden text-dim text-sm md:table-cell ${figure}`}>{index + 1}</Cell>
      <Cell className="md:w-28">
        <div className="w-20 overflow-hidden rounded-xl border border-line bg-linear-to-b from-plate to-card">
          <Picture src={order.image} alt="" sizes="80px" />
        </div>
      </Cell>
      <Cell className="min-w-0">
        <Link
          to={`/dashboard/order/${order._id}`}
          className="inline-block min-h-6 text-balance font-semibold underline-offset-3 hover:text-copper hover:underline"
        >
          {order.product}
        </Link>
        <p className="text-dim text-sm">{order.number}</p>
        <p className="break-words text-dim text-sm">{order.customer}</p>
        <p className="break-words text-dim text-sm">
          <EmailWords email={order.email} />
        </p>
      </Cell>
      <Cell label="Quantity" className={`col-start-1 row-start-2 ${figure}`}>
        {order.quantity}
      </Cell>
      <Cell label="Total price" className={`col-start-2 row-start-2 ${figure}`}>
        {dollars(order.totalPrice)}
      </Cell>
      <Cell className="col-start-3 row-start-1">
        <DeleteOrderButton order={order} onAsk={rest.onDelete} />
      </Cell>
      <Cell className="col-span-3 md:w-44 xl:w-64">
        <OrderStatus order={order} now={rest.now} confirming={rest.isConfirming(order)} />
      </Cell>
    </tr>
  )
}

/** Own orders as a table; on a phone each row is a card. */
export function OrdersTable({ orders, ...rest }: Props) {
  return (
    <table className="block w-full md:table">
      <caption className="sr-only">Your orders, unpaid ones first</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr>
          {columns.map((name) => (
            <th
              key={name}
              scope="col"
              className="whitespace-nowrap px-2 pb-3 text-left font-mono font-normal text-dim text-xs xl:px-3"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block border-line border-b md:table-row-group">
        {orders.map((order, index) => (
          <OrderRow key={order._id} order={order} index={index} {...rest} />
        ))}
      </tbody>
    </table>
  )
}
