import { Outlet } from 'react-router'
import { StaffGate } from './staff-gate.tsx'

/** Pages that need admin rights. */
export default function RequireAdmin() {
  return (
    <StaffGate roles={['admin']}>
      <Outlet />
    </StaffGate>
  )
}
