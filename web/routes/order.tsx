import { useParams, useRouteLoaderData } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import { OrderScreen } from '#web/features/orders/order-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Order')

export default function Order() {
  const { id = '' } = useParams()
  const { shop } = useRouteLoaderData('root') as { shop: Shop }
  return <OrderScreen key={id} id={id} simulated={shop.payments.simulated} />
}
