import { Outlet } from 'react-router'
import { DashboardLayout } from '#web/features/orders/dashboard-layout.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Dashboard')

export default function Dashboard() {
  return (
    <DashboardLayout>
      <Outlet />
    </DashboardLayout>
  )
}
