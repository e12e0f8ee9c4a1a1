import { MyOrdersScreen } from '#web/features/orders/my-orders-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import '#web/styles/list-frame.css'

export const meta = () => pageMeta('My orders')

export default function MyOrders() {
  const { user } = useSession()
  return user && <MyOrdersScreen email={user.email} />
}
