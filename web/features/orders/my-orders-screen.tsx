import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useId, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { maxLines } from '#contracts/basket.ts'
import { OwnOrderFilter, OwnOrderList } from '#contracts/lists.ts'
import { sumOf } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { Picture } from '#web/components/picture.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { rowsPerPage } from '#web/lib/lists/list-page.ts'
import { filterOf, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { shortDay } from '#web/lib/moments.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useNow } from '#web/lib/use-now.ts'
import { BuyAgain } from './buy-again.tsx'
import { DeleteOrder, DeleteOrderButton, inShort } from './delete-order.tsx'
import { OrderStatus } from './order-status.tsx'
import {
  confirmingTransaction,
  isOfSeveral,
  ordersCountQuery,
  ordersQuery,
  useDeleteCheckout,
  useDeleteOrder,
  useJoinCheckouts,
} from './queries.ts'

const OwnFilter = OwnOrderList.pick({ q: true, after: true })
const searched = OwnOrderFilter.pick({ q: true, sort: true })

function NoOrders() {
  return (
    <EmptyState title="No orders yet" action={<ButtonLink to="/#parts">See the parts</ButtonLink>}>
      Parts you book are listed here, with the time they are held for you.
    </EmptyState>
  )
}

/**
 * The user's own orders: holds and their remaining time, payments, and which orders can be deleted.
 */
function MyOrders({ email }: { email: string }) {
  const client = useQueryClient()
  const address = useListAddress(['q'])
  const list = useQuery(ordersQuery(client, { email, ...filterOf(OwnFilter, address) }))
  const money = useMoney()
  const remove = useDeleteOrder()
  const removeAll = useDeleteCheckout()
  const leaving = useSignedOutBy(list.error, [401, 403])
  const [toDelete, setToDelete] = useState<Order | null>(null)
  const [allToDelete, setAllToDelete] = useState<Order | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const now = useNow(list.data?.rows.some((order) => !order.paid) ?? false)
  return (
    <>
      <ListFrame
        title="My orders"
        headingRef={heading}
        tools={<ListTools address={address} search="Order number, product or transaction id" />}
        address={address}
        list={list}
        leaving={leaving}
        count={ordersCountQuery({ email, ...filterOf(searched, address) })}
        noun={['order', 'orders']}
        empty={<NoOrders />}
        end={<PayAll orders={list.data?.rows ?? []} client={client} />}
      >
        {(orders) => (
          <OrdersTable
            orders={orders}
            first={(address.pagesBefore ?? 0) * rowsPerPage + 1}
            now={now}
            isConfirming={(order) => confirmingTransaction(client, order) !== undefined}
            onDeleteAll={setAllToDelete}
            onDelete={setToDelete}
          />
        )}
      </ListFrame>
      <DeleteOrder
        order={toDelete}
        describe={(order) => `This deletes order ${inShort(order)}. Nothing was charged.`}
        remove={remove}
        onClose={() => setToDelete(null)}
        onDeleted={() => heading.current?.focus()}
      />
      <DeleteOrder
        order={allToDelete}
        title="Delete all orders of this checkout?"
        describe={({ checkoutTotal }) => `Together they cost ${money(checkoutTotal)}.`}
        remove={removeAll}
        onClose={() => setAllToDelete(null)}
        onDeleted={() => heading.current?.focus()}
      />
    </>
  )
}

export function MyOrdersScreen() {
  const { user } = useSession()
  return user && <MyOrders email={user.email} />
}

type Props = {
  orders: Order[]
  /** The number of the first row; numbering continues across pages. */
  first: number
  now: number
  isConfirming: (order: Order) => boolean
  onDelete: (order: Order) => void
  /** @param order one of the checkout's */
  onDeleteAll: (order: Order) => void
}

/** What each of these orders' checkouts costs. */
const dueOnce = (orders: Order[]): number[] => [
  ...new Map(orders.map(({ checkoutId, checkoutTotal }) => [checkoutId, checkoutTotal])).values(),
]

/** Joins the unpaid orders of this page into one checkout, and leads to its payment. */
function PayAll({ orders, client }: { orders: Order[]; client: QueryClient }) {
  const money = useMoney()
  const navigate = useNavigate()
  const join = useJoinCheckouts()
  const note = useId()
  const unpaid = orders
    .filter((order) => !order.paid && confirmingTransaction(client, order) === undefined)
    .slice(0, maxLines)
  const [first] = unpaid
  if (!first || new Set(unpaid.map(({ checkoutId }) => checkoutId)).size < 2) return null
  const sum = sumOf(dueOnce(unpaid))
  const pay = () =>
    join.mutate(
      unpaid.map(({ _id }) => _id),
      {
        onSuccess: () => navigate(`/dashboard/payment/${first._id}`),
        onError: (problem) => toast('error', problem.message),
      },
    )
  return (
    <>
      <p id={note} className="max-w-[52ch] text-pretty text-dim text-sm">
        One payment for all. They then stay together, also if you do not pay at once; you can still
        delete single ones.
      </p>
      <Button loading={join.isPending} aria-describedby={note} onClick={pay}>
        Pay all {unpaid.length} · {money(sum)}
      </Button>
    </>
  )
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

/**
 * A table cell. On a phone, where rows are cards without a table head, it shows its column's name.
 */
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
        <span aria-hidden="true" className="font-mono text-xs text-dim md:hidden">
          {label}{' '}
        </span>
      )}
      {children}
    </td>
  )
}

/** The order's product, booking time and customer. */
function Name({ order }: { order: Order }) {
  return (
    <>
      <Link
        to={`/dashboard/order/${order._id}`}
        className="link inline-block min-h-6 text-balance font-semibold"
      >
        {order.product}
      </Link>
      <p className="text-sm">
        <span className="font-mono tabular-nums">{order.number}</span>
        <span className="text-dim">
          , <time dateTime={order.createdAt}>{shortDay(order.createdAt)}</time>
        </span>
      </p>
      <p className="break-words text-dim text-xs md:text-sm">
        <span>{order.customer}</span>
        <span className="md:hidden">, </span>
        <span className="md:block">
          <EmailText email={order.email} />
        </span>
      </p>
    </>
  )
}

/** The head of orders that are paid together: their total, and the actions for all of them. */
function CheckoutHead({
  order,
  isConfirming,
  onDeleteAll,
}: Pick<Props, 'isConfirming' | 'onDeleteAll'> & { order: Order }) {
  const money = useMoney()
  const sum = money(order.checkoutTotal)
  return (
    <tr className="block border-line border-t md:table-row">
      <th
        colSpan={columns.length}
        scope="rowgroup"
        className="block py-3 text-left md:table-cell md:px-2 xl:px-3"
      >
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="me-auto font-semibold">
            {order.paid ? 'Paid together: ' : 'To be paid together: '}
            <span className="font-mono tabular-nums">{sum}</span>
          </span>
          {order.paid && <BuyAgain order={order} what={`all ${order.checkoutOrders} parts`} />}
          {!order.paid && !isConfirming(order) && (
            <>
              <ButtonLink to={`/dashboard/payment/${order._id}`} aria-label={`Pay ${sum} together`}>
                Pay {sum}
              </ButtonLink>
              <button
                type="button"
                className="link min-h-11 cursor-pointer font-normal text-sm"
                onClick={() => onDeleteAll(order)}
              >
                Delete all
              </button>
            </>
          )}
        </span>
      </th>
    </tr>
  )
}

type RowProps = Omit<Props, 'orders' | 'first' | 'onDeleteAll'> & { order: Order; index: number }

function OrderRow({ order, index, ...rest }: RowProps) {
  const money = useMoney()
  const figure = 'font-mono tabular-nums'
  return (
    <tr className="grid grid-cols-[4rem_auto_1fr_auto] items-start gap-x-4 gap-y-1 border-line border-t py-3 md:table-row md:py-0">
      <Cell className={`hidden text-dim text-sm md:table-cell ${figure}`}>{index}</Cell>
      <Cell className="row-span-2 md:w-28">
        <div className="w-16 thumb md:w-20">
          <Picture src={order.image} alt="" sizes="80px" />
        </div>
      </Cell>
      <Cell className="col-span-2 min-w-0">
        <Name order={order} />
      </Cell>
      <Cell label="Quantity" className={`col-start-2 row-start-2 ${figure}`}>
        {order.quantity}
      </Cell>
      <Cell label="Total price" className={`col-span-2 col-start-3 row-start-2 ${figure}`}>
        {money(order.totalPrice)}
      </Cell>
      <Cell className="col-start-4 row-start-1">
        <DeleteOrderButton order={order} onAsk={rest.onDelete} />
      </Cell>
      <Cell className="col-span-3 col-start-2 md:w-44 xl:w-64">
        <OrderStatus order={order} now={rest.now} confirming={rest.isConfirming(order)} />
        <div className="flex flex-wrap gap-x-5">
          {(order.status === 'paid' || order.status === 'shipped') && (
            <Link
              to={`/dashboard/addReview?part=${order.partId}`}
              className="link inline-flex min-h-11 items-center text-sm"
              aria-label={`Review ${order.product}`}
            >
              Review it
            </Link>
          )}
          {order.paid && !isOfSeveral(order) && <BuyAgain order={order} what={order.product} />}
        </div>
      </Cell>
    </tr>
  )
}

/** Own orders as a table; on a phone each row is a card. */
function OrdersTable({ orders, first, onDeleteAll, ...rest }: Props) {
  const isHead = (order: Order, index: number) =>
    isOfSeveral(order) && orders[index - 1]?.checkoutId !== order.checkoutId
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
          <Fragment key={order._id}>
            {isHead(order, index) && (
              <CheckoutHead
                order={order}
                isConfirming={rest.isConfirming}
                onDeleteAll={onDeleteAll}
              />
            )}
            <OrderRow order={order} index={first + index} {...rest} />
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
