import { ManageUsersScreen } from '#web/features/users/manage-users-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'

export const meta = () => pageMeta('Manage all users')

export default function ManageUsers() {
  return <ManageUsersScreen />
}
