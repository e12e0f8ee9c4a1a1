import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { OwnOrderFilter, OwnOrderList } from '#contracts/lists.ts'
import type { Order } from '#contracts/orders.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { filterOf } from '#web/lib/list-filter.ts'
import { rowsPerPage } from '#web/lib/list-page.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { DeleteOrder, inShort } from './delete-order.tsx'
import { OrdersTable } from './orders-table.tsx'
import { confirmingTransaction, ordersCountQuery, ordersQuery, useDeleteOrder } from './queries.ts'
import { useNow } from './use-now.ts'
import '#web/styles/list-frame.css'
import { useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('My orders')

const asked = OwnOrderList.pick({ q: true, after: true })
const searched = OwnOrderFilter.pick({ q: true, sort: true })

function NoOrders() {
  return (
    <EmptyState title="No orders yet" action={<ButtonLink to="/#parts">See the parts</ButtonLink>}>
      Parts you book are listed here, with the time they are held for you.
    </EmptyState>
  )
}

/** The user's own orders: what is held and for how long, what is paid, what can be deleted. */
function MyOrders({ email }: { email: string }) {
  const client = useQueryClient()
  const address = useListAddress(['q'])
  const list = useQuery(ordersQuery(client, { email, ...filterOf(asked, address) }))
  const remove = useDeleteOrder()
  const leaving = useSignedOutBy(list.error, [401, 403])
  const [toDelete, setToDelete] = useState<Order | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const orders = list.data?.rows ?? []
  const now = useNow(orders.some((order) => !order.paid))
  // one that has few of them needs no help to find one
  const isLong = address.isFiltered || address.after || orders.length > 5
  return (
    <section aria-labelledby="my-orders">
      <h1 id="my-orders" ref={heading} tabIndex={-1} className="list-heading outline-none">
        My orders
      </h1>
      {isLong && (
        <SearchBox
          label="Order number, product or transaction id"
          value={address.read('q')}
          onSearch={(q) => address.change({ q }, { replace: true })}
        />
      )}
      <ListFrame
        address={address}
        list={list}
        leaving={leaving}
        count={ordersCountQuery({ email, ...filterOf(searched, address) })}
        noun={['order', 'orders']}
        empty={<NoOrders />}
      >
        <OrdersTable
          orders={orders}
          first={(address.pagesBefore ?? 0) * rowsPerPage + 1}
          now={now}
          isConfirming={(order) => confirmingTransaction(client, order._id) !== undefined}
          onDelete={setToDelete}
        />
      </ListFrame>
      <DeleteOrder
        order={toDelete}
        describe={inShort}
        remove={remove}
        onClose={() => setToDelete(null)}
        onDeleted={() => heading.current?.focus()}
      />
    </section>
  )
}

export default function MyOrdersScreen() {
  const { user } = useSession()
  return user && <MyOrders email={user.email} />
}
