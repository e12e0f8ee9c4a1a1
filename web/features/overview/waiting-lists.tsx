import { dollars } from '#contracts/money.ts'
import type { Held, ToShip as OrderToShip, Overview } from '#contracts/overview.ts'
import { NothingHere, Panel, PanelRow } from './panel.tsx'
import { counted, minutesLeft, since, whole } from './text.ts'

const orderIn = (id: string) => `/dashboard/order/${id}`
const detailOf = ({ number, quantity, totalPrice, customer }: Held | OrderToShip) =>
  `${number}: ${whole(quantity)} for ${dollars(totalPrice)}, ${customer}`

/** Minutes left from which a hold counts as about to expire. */
const shortMinutes = 5

/** Paid orders that wait, the longest waiting first: the first work of a day. */
export function ToShip({ list, now }: { list: Overview['toShip']; now: number }) {
  const all = { to: '/dashboard/manageOrders?status=pending&sort=oldest' }
  return (
    <Panel
      title="Waiting to be shipped"
      aside={list.total > 0 && `${whole(list.total)}, longest waiting first`}
      more={list.total > 0 ? { ...all, text: `Ship ${counted(list.total, 'order')}` } : undefined}
    >
      {list.total === 0 && <NothingHere>Every paid order is shipped.</NothingHere>}
      <ol>
        {list.rows.map((order) => (
          <PanelRow
            key={order._id}
            to={orderIn(order._id)}
            name={order.product}
            detail={detailOf(order)}
          >
            <span className="label block">paid</span>
            <time dateTime={order.paidAt}>{since(order.paidAt, now)}</time>
          </PanelRow>
        ))}
      </ol>
    </Panel>
  )
}

/** Unpaid orders whose stock goes back soon. */
export function Holds({ list, now }: { list: Overview['holds']; now: number }) {
  const all = { to: '/dashboard/manageOrders?status=unpaid' }
  return (
    <Panel
      title="Holds about to expire"
      aside={list.total > 0 && `${whole(list.total)}, soonest first`}
      more={
        list.total > 0 ? { ...all, text: 'See all unpaid orders, with expired holds' } : undefined
      }
    >
      {list.total === 0 && <NothingHere>No stock is held for an unpaid order.</NothingHere>}
      <ol>
        {list.rows.map((order) => {
          const left = minutesLeft(order.holdExpiresAt, now)
          return (
            <PanelRow
              key={order._id}
              to={orderIn(order._id)}
              name={order.product}
              detail={detailOf(order)}
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
