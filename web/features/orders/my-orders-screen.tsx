import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { OwnOrderFilter, OwnOrderList } from '#contracts/lists.ts'
import type { Order } from '#contracts/orders.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ListFrame } from '#web/components/list-frame.tsx'
import { ListTools } from '#web/components/list-tools.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { rowsPerPage } from '#web/lib/list-page.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { filterOf, useListAddress } from '#web/lib/use-list-address.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { DeleteOrder, inShort } from './delete-order.tsx'
import { useNow } from './hold-countdown.tsx'
import { OrdersTable } from './orders-table.tsx'
import { confirmingTransaction, ordersCountQuery, ordersQuery, useDeleteOrder } from './queries.ts'

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
      >
        {(orders) => (
          <OrdersTable
            orders={orders}
            first={(address.pagesBefore ?? 0) * rowsPerPage + 1}
            now={now}
            isConfirming={(order) => confirmingTransaction(client, order._id) !== undefined}
            onDelete={setToDelete}
          />
        )}
      </ListFrame>
      <DeleteOrder
        order={toDelete}
        describe={inShort}
        remove={remove}
        onClose={() => setToDelete(null)}
        onDeleted={() => heading.current?.focus()}
      />
    </>
  )
}

export default function MyOrdersScreen() {
  const { user } = useSession()
  return user && <MyOrders email={user.email} />
}
