import { Link } from 'react-router'
import { isDeletedUser } from '#contracts/account.ts'
import { dollars } from '#contracts/money.ts'
import type { AdminOrder, Order } from '#contracts/orders.ts'
import { leftToRefund } from '#contracts/refunds.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { SortHeader } from '#web/components/sort-header.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import type { ListAddress } from '#web/lib/use-list-address.ts'
import { whyFound } from '#web/lib/why-found.ts'
import { AdminStatus } from './admin-status.tsx'
import { ChangeStatus } from './change-status.tsx'
import { DeleteOrderButton } from './delete-order-button.tsx'
import type { Asked } from './order-actions.tsx'
import type { Selection } from './use-selection.ts'

type Props = {
  address: ListAddress
  orders: AdminOrder[]
  selection: Selection
  onAsk: (asked: Asked) => void
}

type RowProps = Pick<Props, 'selection' | 'onAsk'> & { order: AdminOrder; q: string }

/** What of an order its row shows, and what it does not: a search looks into both. */
const whyOrder = (q: string, order: Order) =>
  whyFound(q, [order.product, order.number, order.customer, order.email, order.phone], {
    'transaction id': order.transactionId,
    id: order._id,
  })

function OrderRow({ order, selection, onAsk, q }: RowProps) {
  const why = whyOrder(q, order)
  const whose = `${order.product} for ${order.email}, ${order.number}`
  return (
    <tr data-selected={selection.has(order) || undefined}>
      <td className="orders-select">
        {selection.canHave(order) && (
          <input
            type="checkbox"
            className="row-check"
            aria-label={`Select ${whose}`}
            checked={selection.has(order)}
            onChange={() => selection.toggle(order)}
          />
        )}
      </td>
      <td className="orders-product">
        <Link to={`/dashboard/order/${order._id}`} className="row-link">
          {order.product}
        </Link>
        <p className="text-dim text-xs">
          <span className="whitespace-nowrap">{order.number}</span> ·{' '}
          <time dateTime={order.createdAt}>{shortMoment(order.createdAt)}</time>
        </p>
        {why && <p className="text-xs">{why}</p>}
      </td>
      <td className="orders-email">
        <p>
          <EmailText email={order.email} />
        </p>
        <p className="text-dim text-xs">
          {order.customer} ·{' '}
          {isDeletedUser(order.email) ? (
            order.phone
          ) : (
            <a
              className="link inline-block min-h-6 whitespace-nowrap leading-6"
              href={`tel:${order.phone.replaceAll(/[^+\d]/g, '')}`}
            >
              {order.phone}
            </a>
          )}
        </p>
      </td>
      <td data-label="Quantity" className="orders-quantity figure">
        {order.quantity}
      </td>
      <td data-label="Total price" className="orders-total figure">
        {dollars(order.totalPrice)}
      </td>
      <td className="orders-delete">
        <DeleteOrderButton
          labelled
          order={order}
          onAsk={() => onAsk({ action: 'delete', order })}
        />
      </td>
      <td className="orders-status">
        <AdminStatus order={order} />
      </td>
      <td className="orders-change">
        <ChangeStatus order={order} onShip={() => onAsk({ action: 'ship', order })} />
      </td>
      <td className="orders-refund">
        {leftToRefund(order) >= 1 && (
          <RowButton
            aria-label={`Refund ${whose}`}
            onClick={() => onAsk({ action: 'refund', order })}
          >
            Refund
          </RowButton>
        )}
      </td>
    </tr>
  )
}

/** The checkbox of all pending orders on the page. */
function SelectAll({ selection }: { selection: Selection }) {
  const some = selection.selectedHere > 0
  return (
    <input
      type="checkbox"
      className="row-check"
      aria-label="Select all pending orders on this page"
      disabled={selection.selectable === 0}
      checked={some && selection.isFull}
      ref={(box) => {
        if (box) box.indeterminate = some && !selection.isFull
      }}
      onChange={selection.toggleAll}
    />
  )
}

const sorted = (name: string) => ({ ascending: name, descending: `-${name}` })

/** All customers' orders as a table; on a narrow screen each row is a card. */
export function AdminOrdersTable({ address, orders, selection, onAsk }: Props) {
  return (
    <table className="list-table orders-list">
      <caption className="sr-only">Orders</caption>
      <thead>
        <tr>
          <th scope="col">
            <SelectAll selection={selection} />
          </th>
          <SortHeader address={address} label="Product" {...sorted('product')} />
          <SortHeader address={address} label="E-mail" {...sorted('email')} />
          <SortHeader
            address={address}
            label="Quantity"
            {...sorted('quantity')}
            first="descending"
            className="figure"
          />
          <SortHeader
            address={address}
            label="Total price"
            {...sorted('total')}
            first="descending"
            className="figure"
          />
          <th scope="col">Delete</th>
          <th scope="col">Status</th>
          <th scope="col">Change status</th>
          <th scope="col">Refund</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow
            key={order._id}
            order={order}
            q={address.read('q')}
            selection={selection}
            onAsk={onAsk}
          />
        ))}
      </tbody>
    </table>
  )
}
