import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Order } from '#contracts/orders.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { NoSuchOrder } from './no-such-order.tsx'
import { OrderSheet } from './order-sheet.tsx'
import { isUnknown, orderQuery } from './queries.ts'

function Actions({ order }: { order: Order }) {
  return (
    <div className="mt-6 flex flex-wrap gap-3 print:hidden">
      {order.status === 'unpaid' && (
        <ButtonLink to={`/dashboard/payment/${order._id}`}>Pay</ButtonLink>
      )}
      <Button variant={order.paid ? 'primary' : 'quiet'} onClick={() => print()}>
        Print
      </Button>
      <ButtonLink to="/dashboard/myOrders" variant="quiet">
        My orders
      </ButtonLink>
    </div>
  )
}

type Props = {
  id: string
  simulated: boolean
  /** What admins see around the sheet instead of the customer's actions; null while it is not known who looks. */
  owned?: ((order: Order, sheet: ReactNode) => ReactNode) | null | undefined
}

function Known({ order, simulated, owned }: { order: Order } & Omit<Props, 'id'>) {
  const sheet = <OrderSheet order={order} simulated={simulated} />
  if (owned) return owned(order, sheet)
  return (
    <>
      {sheet}
      <Actions order={order} />
    </>
  )
}

/** In the place of an order that is not there yet. */
export function OrderSkeleton() {
  return <Skeleton className="h-152 w-full rounded-card" />
}

/** One order with all that is known about it, fit for paper. */
export function OrderScreen({ id, simulated, owned }: Props) {
  const { data: order, error, refetch } = useQuery(orderQuery(useQueryClient(), id))
  usePageTitle(order && `Order ${order.number}, ${order.product}`)
  const leaving = useSignedOutBy(error)
  if (error && isUnknown(error)) return <NoSuchOrder />
  if (!order && error && !leaving) {
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  }
  return (
    <section aria-labelledby="order" aria-busy={!order} className="max-w-3xl">
      <h1 id="order" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Order {order?.number}
      </h1>
      <p className="mt-2 mb-6 font-mono text-dim text-sm break-all">{id}</p>
      {order && owned !== null ? (
        <Known order={order} simulated={simulated} owned={owned} />
      ) : (
        <OrderSkeleton />
      )}
    </section>
  )
}
