import { useQuery } from '@tanstack/react-query'
import { ToShipScreen } from '#web/features/orders/to-ship-screen.tsx'
import { roleQuery } from '#web/features/users/queries.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'

export const meta = titled('To ship')

/** The day's packing. Only admins open orders, which have prices. */
export default function ToShip() {
  const { user } = useSession()
  const { data: role } = useQuery(roleQuery(user?.email ?? ''))
  return <ToShipScreen opensOrders={role === 'admin'} />
}
