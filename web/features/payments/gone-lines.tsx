import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Order } from '#contracts/orders.ts'
import { Button } from '#web/components/button.tsx'
import { checkoutQuery, useDeleteOrder } from '#web/features/orders/queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { toOrders } from './payment-outcome.tsx'

/** Why orders of a checkout can no longer be paid: order id → reason. */
export const goneIn = (error: Error | null): Record<string, string> =>
  error instanceof ApiError ? (error.fields ?? {}) : {}

type Props = {
  order: Order
  gone: Record<string, string>
}

/**
 * Lists the orders of a checkout that can no longer be paid, and offers to remove them, so that the
 * rest can be paid.
 */
export function GoneLines({ order, gone }: Props) {
  const navigate = useNavigate()
  const remove = useDeleteOrder()
  const { data: checkout } = useQuery(checkoutQuery(order))
  const lines = checkout?.orders.filter(({ _id }) => gone[_id]) ?? []
  const rest = checkout?.orders.filter(({ _id }) => !gone[_id]) ?? []
  async function removeThem() {
    try {
      for (const line of lines) await remove.mutateAsync(line)
    } catch (error) {
      if (error instanceof Error) void toast('error', error.message)
      return
    }
    const [next] = rest
    if (!next) await navigate('/dashboard/myOrders', { replace: true })
    // else the checkout is read again, and its rest can be paid
    else if (gone[order._id]) await navigate(`/dashboard/payment/${next._id}`, { replace: true })
  }
  return (
    <div role="alert" className="grid justify-items-start gap-4">
      <p className="font-display font-semibold text-2xl tracking-tight">
        {lines.length === 1
          ? 'One part is no longer available'
          : 'Some parts are no longer available'}
      </p>
      <ul className="grid gap-2">
        {lines.map(({ _id, product }) => (
          <li key={_id} className="text-pretty">
            <span className="font-semibold">{product}.</span> {gone[_id]}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button loading={remove.isPending} onClick={() => void removeThem()}>
          {rest.length > 0 ? 'Remove and pay the rest' : 'Remove'}
        </Button>
        {toOrders}
      </div>
    </div>
  )
}
