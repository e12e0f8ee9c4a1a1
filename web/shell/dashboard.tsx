import { Outlet } from 'react-router'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { DashboardLayout } from './dashboard-layout.tsx'
import '#web/dashboard.css'

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
