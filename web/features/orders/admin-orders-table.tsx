import { Link } from 'react-router'
import { isDeletedUser } from '#contracts/account.ts'
import { dollars } from '#contracts/money.ts'
import type { AdminOrder, Order } from '#contracts/orders.ts'
import { leftToRefund } from '#contracts/refunds.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { ListTable, SortHeader } from '#web/components/list-table.tsx'
import { RowButton } from '#web/components/row-button.tsx'
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

const checkbox =
  'block m-0 size-6 cursor-pointer accent-copper disabled:cursor-default pointer-fine:m-0.5 pointer-fine:size-5'

/** Without the column's name over it where the row is a card. */
const unnamed = 'narrow:[&::before]:content-none'

function OrderRow({ order, selection, onAsk, q }: RowProps) {
  const why = whyOrder(q, order)
  const isRefundable = leftToRefund(order) >= 1
  const whose = `${order.product} for ${order.email}, ${order.number}`
  return (
    <tr data-selected={selection.has(order) || undefined}>
      <td className="[grid-area:select] widest:w-8">
        {selection.canHave(order) && (
          <input
            type="checkbox"
            className={checkbox}
            aria-label={`Select ${whose}`}
            checked={selection.has(order)}
            onChange={() => selection.toggle(order)}
          />
        )}
      </td>
      <td className="[grid-area:product] widest:min-w-36">
        <Link to={`/dashboard/order/${order._id}`} className="row-link">
          {order.product}
        </Link>
        <p className="text-dim text-xs">
          <span className="whitespace-nowrap">{order.number}</span> ·{' '}
          <time dateTime={order.createdAt}>{shortMoment(order.createdAt)}</time>
        </p>
        {why && <p className="text-xs">{why}</p>}
      </td>
      {/* on a card the address has a whole line; name and phone share theirs with the price */}
      <td className="text-[0.875rem] [grid-area:email] narrow:contents wide:self-center widest:min-w-38">
        <p className="narrow:[grid-area:email]">
          <EmailText email={order.email} />
        </p>
        <p className="text-dim text-xs narrow:[grid-area:who]">
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
      {/* on a card "2 for $998" says both */}
      <td
        data-label="Quantity"
        className={`figure text-end [grid-area:quantity] narrow:after:font-mono narrow:after:text-dim narrow:after:text-xs narrow:after:content-['_for'] ${unnamed}`}
      >
        {order.quantity}
      </td>
      <td data-label="Total price" className={`figure text-end [grid-area:total] ${unnamed}`}>
        {dollars(order.totalPrice)}
      </td>
      {/* without a refund the word beside the bin has its place, and no column is wide for it */}
      <td
        className={`justify-self-end [grid-area:delete] narrow:mt-1 wide:justify-self-start widest:w-12 ${isRefundable ? '' : 'narrow:col-[3/-1]'}`}
      >
        <DeleteOrderButton
          labelled
          order={order}
          onAsk={() => onAsk({ action: 'delete', order })}
        />
      </td>
      <td className="text-end [grid-area:status] wide:text-start">
        <AdminStatus order={order} />
      </td>
      <td className="self-center [grid-area:change] narrow:mt-1">
        <ChangeStatus order={order} onShip={() => onAsk({ action: 'ship', order })} />
      </td>
      <td className="justify-self-end [grid-area:refund] narrow:mt-1 widest:w-20">
        {isRefundable && (
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
      className={checkbox}
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

export function AdminOrdersTable({ address, orders, selection, onAsk }: Props) {
  return (
    <ListTable
      caption="Orders"
      className="orders-list"
      head={
        <>
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
        </>
      }
    >
      {orders.map((order) => (
        <OrderRow
          key={order._id}
          order={order}
          q={address.read('q')}
          selection={selection}
          onAsk={onAsk}
        />
      ))}
    </ListTable>
  )
}
