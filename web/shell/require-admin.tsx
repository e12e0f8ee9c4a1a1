import { Outlet } from 'react-router'
import { useSession } from '#web/lib/session.ts'
import { AdminGate } from './admin-gate.tsx'

/** Pages that need admin rights: others are signed out and go to /login. */
export default function RequireAdmin() {
  const { user } = useSession()
  return (
    user && (
      <AdminGate email={user.email}>
        <Outlet />
      </AdminGate>
    )
  )
}
