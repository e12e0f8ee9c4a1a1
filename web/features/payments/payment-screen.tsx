import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dollars } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { Picture } from '#web/components/picture.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { NoSuchOrder } from '#web/features/orders/no-such-order.tsx'
import { isUnknown, orderQuery } from '#web/features/orders/queries.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { PaymentPanel, type PaymentProps } from './payment-panel.tsx'

/** What is paid for: beside the form where there is room, a line above it on a phone. */
function OrderSummary({ order }: { order: Order }) {
  return (
    <section
      aria-label="Order"
      className="grid grid-cols-[6rem_1fr] items-center gap-4 xl:grid-cols-1"
    >
      <div className="card overflow-hidden bg-linear-to-b from-plate to-card">
        <Picture
          src={order.image}
          alt={order.product}
          sizes="(min-width: 1280px) 420px, 96px"
          priority
        />
      </div>
      <div>
        <h2 className="text-2xl font-semibold tracking-tight">{order.product}</h2>
        <p className="mt-1 font-mono text-dim text-sm">{order.number}</p>
        <p className="mt-1 font-mono text-dim text-sm tabular-nums">
          Quantity {order.quantity} × {dollars(order.price)}
        </p>
      </div>
    </section>
  )
}

/** Pays one order by card. */
export function PaymentScreen({ id, ...rest }: PaymentProps & { id: string }) {
  const { data: order, error, refetch } = useQuery(orderQuery(useQueryClient(), id))
  usePageTitle(order && `Payment of ${order.number}, ${order.product}`)
  const leaving = useSignedOutBy(error)
  if (error && isUnknown(error)) return <NoSuchOrder />
  if (!order && error && !leaving)
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  return (
    <div aria-busy={!order}>
      <h1 tabIndex={-1} className="mb-6 text-4xl font-bold tracking-tight outline-none">
        {order?.paid ? 'Thank you' : 'Payment'}
      </h1>
      <div className="grid items-start gap-8 xl:grid-cols-[1fr_1.3fr]">
        {order ? (
          <OrderSummary order={order} />
        ) : (
          <Skeleton className="h-18 w-full xl:aspect-4/3 xl:h-auto" />
        )}
        {order ? (
          <section aria-label="Card payment" className="card p-6 sm:p-8">
            <PaymentPanel order={order} {...rest} />
          </section>
        ) : (
          <Skeleton className="h-96 w-full" />
        )}
      </div>
    </div>
  )
}
