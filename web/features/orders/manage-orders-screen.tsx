import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isDeletedUser } from '#contracts/account.ts'
import { OrderFilter, OrderList } from '#contracts/lists.ts'
import type { AdminOrder, Order } from '#contracts/orders.ts'
import { leftToRefund } from '#contracts/refunds.ts'
import { phoneLink } from '#contracts/shop.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListFrame, ListTable, SortHeader } from '#web/components/list-frame.tsx'
import { ListDate, ListTools } from '#web/components/list-tools.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { filterOf, type ListAddress, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { whyFound } from '#web/lib/lists/why-found.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useScanner } from '#web/lib/use-scanner.ts'
import { adminOrdersCountQuery, adminOrdersQuery, ordersCsv } from './admin-queries.ts'
import { AdminStatus, ChangeStatus } from './admin-status.tsx'
import { DeleteOrderButton } from './delete-order.tsx'
import { findByScan } from './find-by-scan.ts'
import { type Confirming, OrderActions } from './order-actions.tsx'
import { isOfSeveral } from './queries.ts'
import { type Selection, ShipMany, useSelection } from './ship-many.tsx'

export const meta = titled('Manage all orders')

const selects = {
  status: {
    label: 'Status',
    choices: {
      '': 'All',
      unpaid: 'unpaid',
      held: 'held',
      pending: 'pending',
      shipped: 'shipped',
      refunded: 'refunded',
      disputed: 'disputed',
      deleted: 'deleted',
    },
  },
  sort: {
    label: 'Sorted by',
    choices: {
      '': 'Newest first',
      oldest: 'Oldest first',
      '-total': 'Highest total',
      total: 'Lowest total',
      product: 'Product, A to Z',
      '-product': 'Product, Z to A',
      email: 'Email, A to Z',
      '-email': 'Email, Z to A',
      '-quantity': 'Most units',
      quantity: 'Fewest units',
    },
  },
}

/** Keeps the range valid: a first day after the last day moves the last day, and vice versa. */
function spanWith(address: ListAddress, changed: 'from' | 'to', day: string) {
  const other = changed === 'from' ? 'to' : 'from'
  const present = address.read(other)
  const isBackwards = day && present && (changed === 'from' ? day > present : day < present)
  return { [changed]: day, ...(isBackwards && { [other]: day }) }
}

/** Opens the order of a scanned paper; of a scanned box lists the orders, or opens the only one. */
function useScannedOrder(address: ListAddress) {
  const client = useQueryClient()
  const navigate = useNavigate()
  async function open(code: string): Promise<void> {
    try {
      const found = await findByScan(client, code)
      if (found?.orderId) await navigate(`/dashboard/order/${found.orderId}`)
      else address.change({ q: found?.q ?? code })
    } catch (error) {
      if (error instanceof Error) void toast('error', error.message)
    }
  }
  useScanner((code) => void open(code))
  return open
}

function Tools({ address }: { address: ListAddress }) {
  const open = useScannedOrder(address)
  const day = (name: 'from' | 'to') => ({
    value: address.read(name),
    onChange: (value: string) => address.change(spanWith(address, name, value)),
  })
  return (
    <ListTools
      address={address}
      search="Order, product, customer or email"
      selects={selects}
      onEnter={(typed) => void open(typed)}
    >
      <ListDate label="Booked from" {...day('from')} />
      <ListDate label="Booked to" {...day('to')} />
    </ListTools>
  )
}

/** All customers' orders, for admins to ship, remind, refund or delete. */
export default function ManageOrdersScreen() {
  const address = useListAddress(['q', 'status', 'from', 'to'])
  const list = useQuery(adminOrdersQuery(filterOf(OrderList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const selection = useSelection(list.data?.rows ?? [])
  const [confirming, setConfirming] = useState<Confirming | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <ListFrame
        title="Manage all orders"
        headingRef={heading}
        tools={<Tools address={address} />}
        address={address}
        list={list}
        leaving={leaving}
        count={adminOrdersCountQuery(filterOf(OrderFilter, address))}
        noun={['order', 'orders']}
        empty={
          <EmptyState title="No orders yet">
            Orders are listed here as soon as a part is booked.
          </EmptyState>
        }
        end={
          <ExportButton name="orders" onExport={() => ordersCsv(filterOf(OrderFilter, address))} />
        }
      >
        {(orders) => (
          <AdminOrdersTable
            address={address}
            orders={orders}
            selection={selection}
            onAsk={setConfirming}
          />
        )}
      </ListFrame>
      <ShipMany selection={selection} />
      <OrderActions
        confirming={confirming}
        onClose={() => setConfirming(null)}
        onDeleted={() => heading.current?.focus()}
      />
    </>
  )
}

type Props = {
  address: ListAddress
  orders: AdminOrder[]
  selection: Selection
  onAsk: (confirming: Confirming) => void
}

type RowProps = Pick<Props, 'selection' | 'onAsk'> & { order: AdminOrder; q: string }

/** Explains why a search found an order: which matching text is in the row and which is not. */
const whyOrder = (q: string, order: Order) =>
  whyFound(q, [order.product, order.number, order.customer, order.email, order.phone], {
    'transaction id': order.transactionId,
    'tracking number': order.trackingNumber,
    id: order._id,
  })

const checkbox =
  'block m-0 size-6 cursor-pointer accent-copper disabled:cursor-default pointer-fine:m-0.5 pointer-fine:size-5'

/** Hides the column name above the value where the row is a card. */
const unnamed = 'narrow:[&::before]:content-none'

function OrderRow({ order, selection, onAsk, q }: RowProps) {
  const money = useMoney()
  const why = whyOrder(q, order)
  const isRefundable = leftToRefund(order) > 0
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
        {isOfSeveral(order) && (
          <p className="text-dim text-xs">of a checkout of {money(order.checkoutTotal)}</p>
        )}
        {order.method && (
          <p className="text-dim text-xs">
            {order.shipTo ? 'Ship' : 'Pick up'}: {order.method}
          </p>
        )}
        {why && <p className="text-xs">{why}</p>}
      </td>
      {/* on a card the e-mail address has its own line; name and phone share one with the price */}
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
              href={phoneLink(order.phone)}
            >
              {order.phone}
            </a>
          )}
        </p>
      </td>
      {/* on a card "2 for $998" covers both columns */}
      <td
        data-label="Quantity"
        className={`figure text-end [grid-area:quantity] narrow:after:font-mono narrow:after:text-dim narrow:after:text-xs narrow:after:content-['_for'] ${unnamed}`}
      >
        {order.quantity}
      </td>
      <td data-label="Total price" className={`figure text-end [grid-area:total] ${unnamed}`}>
        {money(order.totalPrice)}
      </td>
      {/* without a Refund button, the word beside the bin icon takes its place */}
      <td
        className={`justify-self-end [grid-area:delete] narrow:mt-1 wide:justify-self-start widest:w-12 ${isRefundable ? '' : 'narrow:col-[3/-1]'}`}
      >
        {order.status !== 'deleted' && (
          <DeleteOrderButton
            labelled
            order={order}
            onAsk={() => onAsk({ action: 'delete', order })}
          />
        )}
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

/** The checkbox that selects all pending orders on the page. */
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

function AdminOrdersTable({ address, orders, selection, onAsk }: Props) {
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
          <SortHeader address={address} label="Email" {...sorted('email')} />
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
