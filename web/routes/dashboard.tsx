import { Outlet } from 'react-router'
import { DashboardLayout } from '#web/features/orders/dashboard-layout.tsx'

export const meta = () => [{ title: 'Dashboard · Ferrite' }]

export default function Dashboard() {
  return (
    <DashboardLayout>
      <Outlet />
    </DashboardLayout>
  )
}
