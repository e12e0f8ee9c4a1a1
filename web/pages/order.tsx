import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { useParams, useRouteLoaderData } from 'react-router'
import type { Order as OrderFacts } from '#contracts/orders.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import type { Shop } from '#contracts/shop.ts'
import { OrderScreen, OrderSkeleton } from '#web/features/orders/order-screen.tsx'
import { roleQuery } from '#web/features/users/role-query.ts'
import { withTimeout } from '#web/lib/load-script.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('Order')

export const handle: PageHandle = { samePage: true }

// customers need none of it
const AdminOrder = lazy(withTimeout(() => import('./admin-order.tsx')))

const owned = (order: OrderFacts, sheet: ReactNode) => (
  <Suspense fallback={<OrderSkeleton />}>
    <AdminOrder order={order}>{sheet}</AdminOrder>
  </Suspense>
)

export default function Order() {
  const { id = '' } = useParams()
  const { shop } = useRouteLoaderData('root') as { shop: Shop }
  const { user } = useSession()
  const { data: isAdmin, isPending } = useQuery(roleQuery(user?.email ?? ''))
  return (
    <OrderScreen
      key={id}
      id={id}
      sandbox={shop.payments.sandbox}
      owned={isPending ? null : isAdmin ? owned : undefined}
    />
  )
}
