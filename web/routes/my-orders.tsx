import { MyOrdersScreen } from '#web/features/orders/my-orders-screen.tsx'
import { useSession } from '#web/lib/session.ts'

export const meta = () => [{ title: 'My orders · Ferrite' }]

export default function MyOrders() {
  const { user } = useSession()
  return user && <MyOrdersScreen email={user.email} />
}
