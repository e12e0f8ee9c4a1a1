import { AccountSections } from '#web/features/users/account-sections.tsx'
import { ProfileScreen } from '#web/features/users/profile-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import '#web/styles/account.css'

export const meta = () => pageMeta('My Profile')

export default function MyProfile() {
  const { user } = useSession()
  return (
    user && (
      <>
        <ProfileScreen email={user.email} />
        <AccountSections email={user.email} />
      </>
    )
  )
}
