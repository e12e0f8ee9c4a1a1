import { Outlet } from 'react-router'
import { DashboardLayout } from '#web/features/users/dashboard-layout.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('Dashboard')

export default function Dashboard() {
  const { user } = useSession()
  return (
    user && (
      <DashboardLayout email={user.email}>
        <Outlet />
      </DashboardLayout>
    )
  )
}
