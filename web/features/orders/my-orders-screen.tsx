import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messages } from '#contracts/messages.ts'
import type { Order } from '#contracts/orders.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { toast } from '#web/lib/toast.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { OrdersTable } from './orders-table.tsx'
import { confirmingTransaction, ordersQuery, useDeleteOrder } from './queries.ts'
import { useNow } from './use-now.ts'

function OrdersSkeleton() {
  return (
    <div aria-busy="true" className="border-line border-b md:mt-8">
      {[1, 2, 3].map((row) => (
        <div key={row} className="flex h-52 gap-4 border-line border-t py-5 md:h-28 md:px-12">
          <Skeleton className="h-15 w-20 shrink-0" />
          <div className="grid w-64 content-start gap-2">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-4" />
          </div>
        </div>
      ))}
    </div>
  )
}

function NoOrders() {
  return (
    <EmptyState title="No orders yet" action={<ButtonLink to="/#parts">See the parts</ButtonLink>}>
      Parts you book are listed here, with the time they are held for you.
    </EmptyState>
  )
}

/** The user's own orders: what is paid, what is held and for how long, what can be deleted. */
export function MyOrdersScreen({ email }: { email: string }) {
  const client = useQueryClient()
  const { data: orders, error, refetch } = useQuery(ordersQuery(client, email))
  const leaving = useSignedOutBy(error, [401, 403])
  const remove = useDeleteOrder(email)
  const [asked, setAsked] = useState<Order | null>(null)
  const [deletions, setDeletions] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  // a double click comes before the dialog shows that it is busy
  const deleting = useRef(false)
  const now = useNow(orders?.some((order) => !order.paid) ?? false)

  // the row and its button are gone: reading goes on at the top of the list
  useEffect(() => {
    if (deletions > 0) heading.current?.focus()
  }, [deletions])

  function confirmDelete(order: Order) {
    if (deleting.current) return
    deleting.current = true
    remove.mutate(order._id, {
      onSuccess: () => {
        toast('success', messages.orderDeleted)
        setDeletions((count) => count + 1)
      },
      onError: (problem) => toast('error', problem.message),
      onSettled: () => {
        deleting.current = false
        setAsked(null)
      },
    })
  }

  return (
    <section aria-labelledby="my-orders">
      <h1
        id="my-orders"
        ref={heading}
        tabIndex={-1}
        className="mb-6 text-4xl font-bold tracking-tight outline-none"
      >
        My orders
      </h1>
      {!orders && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} />
      )}
      {!orders && (!error || leaving) && <OrdersSkeleton />}
      {orders?.length === 0 && <NoOrders />}
      {orders && orders.length > 0 && (
        <OrdersTable
          orders={orders}
          now={now}
          isConfirming={(order) => confirmingTransaction(client, order._id) !== undefined}
          onDelete={setAsked}
        />
      )}
      <ConfirmDialog
        open={asked !== null}
        title={messages.confirmDelete}
        busy={remove.isPending}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked && confirmDelete(asked)}
      >
        {asked && `${asked.quantity} × ${asked.product}`}
      </ConfirmDialog>
    </section>
  )
}
