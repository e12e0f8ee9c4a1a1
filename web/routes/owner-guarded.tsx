import { Outlet } from 'react-router'
import { AdminGate } from '#web/features/users/admin-gate.tsx'
import { useSession } from '#web/lib/session.ts'
import '#web/styles/owner.css'

/** Pages that need admin rights: others are signed out and go to /login. */
export default function OwnerGuarded() {
  const { user } = useSession()
  return (
    user && (
      <AdminGate email={user.email}>
        <Outlet />
      </AdminGate>
    )
  )
}
