import { MyOrdersScreen } from '#web/features/orders/my-orders-screen.tsx'
import { MyPlaces } from '#web/features/queue/my-places.tsx'
import { titled } from '#web/lib/page-meta.ts'

export const meta = titled('My orders')

/** The user's orders, and below them their places in queues. */
export default function MyOrders() {
  return (
    <>
      <MyOrdersScreen />
      <MyPlaces />
    </>
  )
}
