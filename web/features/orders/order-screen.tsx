import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Order } from '#contracts/orders.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { withTimeout } from '#web/lib/load-script.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { DeleteOrder, inShort } from './delete-order.tsx'
import { PaymentDue } from './hold-countdown.tsx'
import { NextSteps } from './next-steps.tsx'
import { NoSuchOrder } from './no-such-order.tsx'
import { OrderDetails } from './order-details.tsx'
import { confirmingTransaction, isUnknown, orderQuery, useDeleteOrder } from './queries.ts'

const heading = 'text-4xl font-bold tracking-tight'
const myOrders = '/dashboard/myOrders'

// only admins load it
const AdminOrderPanel = lazy(withTimeout(() => import('./admin-order-panel.tsx')))

/** What there is to do about an unpaid order, and until when. */
function Unpaid({ order }: { order: Order }) {
  const navigate = useNavigate()
  const remove = useDeleteOrder()
  const [asking, setAsking] = useState(false)
  return (
    <div className="card mb-6 p-5 sm:p-7 print:hidden">
      <PaymentDue order={order} />
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`/dashboard/payment/${order._id}`} className="grow sm:grow-0">
          Pay
        </ButtonLink>
        <Button variant="quiet" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      <DeleteOrder
        order={asking ? order : null}
        describe={inShort}
        remove={remove}
        onClose={() => setAsking(false)}
        onDeleted={() => navigate(myOrders, { replace: true })}
      />
    </div>
  )
}

function Confirming() {
  return (
    <p role="status" className="card mb-6 p-5 text-dim sm:p-7 print:hidden">
      Confirming…
    </p>
  )
}

/** The order for its customer: what is to be paid, the details, what happens next. */
function CustomerOrder({ order, details }: { order: Order; details: ReactNode }) {
  const isConfirming = confirmingTransaction(useQueryClient(), order._id) !== undefined
  const isUnpaid = order.status === 'unpaid'
  return (
    <>
      {isUnpaid && (isConfirming ? <Confirming /> : <Unpaid order={order} />)}
      {details}
      <div className="mt-6 grid gap-2">
        <NextSteps order={order} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <Button variant={order.paid ? 'primary' : 'quiet'} onClick={() => print()}>
          Print
        </Button>
        <ButtonLink to={myOrders} variant="quiet">
          My orders
        </ButtonLink>
      </div>
    </>
  )
}

type Props = {
  id: string
  sandbox: boolean
  /** Undefined while it is not known. */
  role: 'admin' | 'customer' | undefined
  /** What admins did to the order; only admins see it. */
  history: ReactNode
}

/** Stands in for an order that is still loading. As high as the window, so that nothing in sight moves when it comes. */
function OrderSkeleton() {
  return <Skeleton className="min-h-dvh w-full rounded-card" />
}

/** One order with everything known about it, fit for paper. */
export function OrderScreen({ id, sandbox, role, history }: Props) {
  const { data: order, error, refetch } = useQuery(orderQuery(useQueryClient(), id))
  usePageTitle(order && `Order ${order.number}, ${order.product}`)
  const leaving = useSignedOutBy(error)
  if (error && isUnknown(error)) return <NoSuchOrder />
  if (!order && error && !leaving) {
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  }
  const details = order && <OrderDetails order={order} sandbox={sandbox} />
  return (
    <section aria-labelledby="order" aria-busy={!order} className="max-w-3xl">
      <h1 id="order" tabIndex={-1} className={`${heading} ${order?.paid ? 'print:hidden' : ''}`}>
        {order ? `Order ${order.number}` : 'Order'}
      </h1>
      {order?.paid && <h1 className={`${heading} hidden print:block`}>Receipt {order.number}</h1>}
      <p className="mt-2 mb-6 font-mono text-dim text-sm break-all">{id}</p>
      {!(order && role) && <OrderSkeleton />}
      {order && role === 'customer' && <CustomerOrder order={order} details={details} />}
      {order && role === 'admin' && (
        <Suspense fallback={<OrderSkeleton />}>
          <AdminOrderPanel order={order} />
          {details}
          {history}
        </Suspense>
      )}
    </section>
  )
}
