import { MyOrdersScreen } from '#web/features/orders/my-orders-screen.tsx'
import { MyPlaces } from '#web/features/queue/my-places.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('My orders')

/** The user's orders, and below them their places in queues. */
export default function MyOrders() {
  return (
    <>
      <MyOrdersScreen />
      <MyPlaces />
    </>
  )
}
