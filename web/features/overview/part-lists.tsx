import { Link } from 'react-router'
import { isBookable, lowBookings } from '#contracts/catalogue.ts'
import { dollars } from '#contracts/money.ts'
import { type BestSeller, type LowPart, type Overview, overviewDays } from '#contracts/overview.ts'
import { NothingHere, Panel, PanelFoot, PanelRow } from './panel.tsx'
import { counted, whole } from './text.ts'

const partIn = (id: string) => `/dashboard/products/${id}`

/** What sold most in the days of the charts. */
export function BestSellers({ parts }: { parts: BestSeller[] }) {
  return (
    <Panel
      title="Best sellers"
      aside={`last ${overviewDays} days, by units`}
      more={{ to: '/dashboard/manageProducts', text: 'See all products' }}
    >
      {parts.length === 0 && <NothingHere>Nothing was sold in these days.</NothingHere>}
      <ol>
        {parts.map(({ _id, name, units, revenue }) => (
          <PanelRow key={_id} to={partIn(_id)} name={name} detail={dollars(revenue)}>
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
  const detail = smallest > 1 ? `${state}, at least ${smallest} an order` : state
  return (
    <PanelRow to={partIn(part._id)} name={part.name} detail={detail}>
      {whole(part.availableQuantity)} left
    </PanelRow>
  )
}

/** Parts to be ordered again. */
export function LowStock({ stock: { low, soldOut, rows } }: { stock: Overview['lowStock'] }) {
  const link = 'link inline-flex min-h-6 items-center'
  return (
    <Panel title="Low stock" aside={`enough for ${lowBookings} bookings or fewer`}>
      {rows.length === 0 && <NothingHere>There is enough of every part.</NothingHere>}
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
