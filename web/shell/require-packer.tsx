import { Outlet } from 'react-router'
import { StaffGate } from './staff-gate.tsx'

/** Pages for packers and admins. */
export default function RequirePacker() {
  return (
    <StaffGate roles={['packer', 'admin']}>
      <Outlet />
    </StaffGate>
  )
}
