import { ManageOrdersScreen } from '#web/features/orders/manage-orders-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Manage all orders')

export default function ManageOrders() {
  return <ManageOrdersScreen />
}
