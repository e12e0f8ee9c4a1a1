import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { OrderFilter, OrderList } from '#contracts/lists.ts'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { ListDate, ListTools } from '#web/components/list-tools.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { filterOf, type ListAddress, useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { AdminOrdersTable } from './admin-orders-table.tsx'
import { adminOrdersCountQuery, adminOrdersQuery, ordersCsv } from './admin-queries.ts'
import { type Asked, OrderActions } from './order-actions.tsx'
import { ShipMany } from './ship-many.tsx'
import { useSelection } from './use-selection.ts'

export const meta = () => pageMeta('Manage all orders')

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
      email: 'E-mail, A to Z',
      '-email': 'E-mail, Z to A',
      '-quantity': 'Most units',
      quantity: 'Fewest units',
    },
  },
}

/** A first day after the last one takes that along, and the other way round. */
function spanWith(address: ListAddress, changed: 'from' | 'to', day: string) {
  const other = changed === 'from' ? 'to' : 'from'
  const present = address.read(other)
  const isBackwards = day && present && (changed === 'from' ? day > present : day < present)
  return { [changed]: day, ...(isBackwards && { [other]: day }) }
}

function Tools({ address }: { address: ListAddress }) {
  const day = (name: 'from' | 'to') => ({
    value: address.read(name),
    onChange: (value: string) => address.change(spanWith(address, name, value)),
  })
  return (
    <ListTools address={address} search="Order, product, customer or e-mail" selects={selects}>
      <ListDate label="Booked from" {...day('from')} />
      <ListDate label="Booked to" {...day('to')} />
    </ListTools>
  )
}

/** All customers' orders, for admins: ship, remind, refund, delete. */
export default function ManageOrdersScreen() {
  const address = useListAddress(['q', 'status', 'from', 'to'])
  const list = useQuery(adminOrdersQuery(filterOf(OrderList, address)))
  const leaving = useSignedOutUnlessAdmin(list.error)
  const selection = useSelection(list.data?.rows ?? [])
  const [asked, setAsked] = useState<Asked | null>(null)
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
            onAsk={setAsked}
          />
        )}
      </ListFrame>
      <ShipMany selection={selection} />
      <OrderActions
        asked={asked}
        onClose={() => setAsked(null)}
        onDeleted={() => heading.current?.focus()}
      />
    </>
  )
}
