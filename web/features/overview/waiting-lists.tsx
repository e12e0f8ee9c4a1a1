import { Link } from 'react-router'
import { isBookable, lowBookings } from '#contracts/catalogue.ts'
import { counted, whole } from '#contracts/counted.ts'
import {
  type BestSeller,
  type Held,
  type LowPart,
  type ToShip as OrderToShip,
  type Overview,
  overviewDays,
} from '#contracts/overview.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { NothingHere, Panel, PanelFoot, PanelRow } from './panel.tsx'
import { minutesLeft, since } from './text.ts'

const orderIn = (id: string) => `/dashboard/order/${id}`
const detailOf = (
  { number, quantity, totalPrice, customer }: Held | OrderToShip,
  money: (amount: number) => string,
) => `${number}: ${whole(quantity)} for ${money(totalPrice)}, ${customer}`

/** The number of minutes left at which a hold counts as about to expire. */
const shortMinutes = 5

/** Paid orders waiting to be shipped, the oldest first. */
export function ToShip({ list, now }: { list: Overview['toShip']; now: number }) {
  const money = useMoney()
  const all = { to: '/dashboard/toShip' }
  return (
    <Panel
      title="Pending orders"
      aside={list.total > 0 && `${whole(list.total)}, longest waiting first`}
      more={list.total > 0 ? { ...all, text: `Ship ${counted(list.total, 'order')}` } : undefined}
    >
      {list.total === 0 && <NothingHere>No order is pending.</NothingHere>}
      <ol>
        {list.rows.map((order) => (
          <PanelRow
            key={order._id}
            to={orderIn(order._id)}
            name={order.product}
            detail={detailOf(order, money)}
          >
            <span className="label block">paid</span>
            <time dateTime={order.paidAt}>{since(order.paidAt, now)}</time>
          </PanelRow>
        ))}
      </ol>
    </Panel>
  )
}

/** Unpaid orders whose hold ends soon. */
export function Holds({ list, now }: { list: Overview['holds']; now: number }) {
  const money = useMoney()
  const all = { to: '/dashboard/manageOrders?status=unpaid' }
  return (
    <Panel
      title="Holds about to expire"
      aside={list.total > 0 && `${whole(list.total)}, soonest first`}
      more={
        list.total > 0 ? { ...all, text: 'See all unpaid orders, with expired holds' } : undefined
      }
    >
      {list.total === 0 && <NothingHere>No stock is held for unpaid orders.</NothingHere>}
      <ol>
        {list.rows.map((order) => {
          const left = minutesLeft(order.holdExpiresAt, now)
          return (
            <PanelRow
              key={order._id}
              to={orderIn(order._id)}
              name={order.product}
              detail={detailOf(order, money)}
            >
              <span className="label block">expires in</span>
              <time
                dateTime={order.holdExpiresAt}
                className={left <= shortMinutes ? 'text-amber' : undefined}
              >
                {counted(left, 'minute')}
              </time>
            </PanelRow>
          )
        })}
      </ol>
    </Panel>
  )
}

const partIn = (id: string) => `/dashboard/products/${id}`

/** The best sellers in the days of the charts. */
export function BestSellers({ parts }: { parts: BestSeller[] }) {
  const money = useMoney()
  return (
    <Panel
      title="Best sellers"
      aside={`last ${overviewDays} days, by units`}
      more={{ to: '/dashboard/manageProducts', text: 'See all products' }}
    >
      {parts.length === 0 && <NothingHere>Nothing sold in this period.</NothingHere>}
      <ol>
        {parts.map(({ _id, name, units, revenue }) => (
          <PanelRow key={_id} to={partIn(_id)} name={name} detail={money(revenue)}>
            {counted(units, 'unit')}
          </PanelRow>
        ))}
      </ol>
    </Panel>
  )
}

function LowRow({ part }: { part: LowPart }) {
  const smallest = part.minimumOrderQuantity
  const state = isBookable(part) ? 'low' : 'sold out'
  const detail = smallest > 1 ? `${state}, minimum order ${smallest}` : state
  return (
    <PanelRow to={partIn(part._id)} name={part.name} detail={detail}>
      {whole(part.availableQuantity)} left
    </PanelRow>
  )
}

/** Parts to reorder. */
export function LowStock({ stock: { low, soldOut, rows } }: { stock: Overview['lowStock'] }) {
  const link = 'link inline-flex min-h-6 items-center'
  return (
    <Panel title="Low stock" aside={`enough for ${lowBookings} bookings or fewer`}>
      {rows.length === 0 && <NothingHere>Every product is well stocked.</NothingHere>}
      <ol>
        {rows.map((part) => (
          <LowRow key={part._id} part={part} />
        ))}
      </ol>
      {rows.length > 0 && (
        <PanelFoot>
          {soldOut > 0 && (
            <Link to="/dashboard/manageProducts?state=sold-out" className={link}>
              {whole(soldOut)} sold out
            </Link>
          )}
          {low > 0 && (
            <Link to="/dashboard/manageProducts?state=low" className={link}>
              {whole(low)} low
            </Link>
          )}
        </PanelFoot>
      )}
    </Panel>
  )
}
