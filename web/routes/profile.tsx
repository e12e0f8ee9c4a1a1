import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Spinner } from '#web/components/spinner.tsx'
import { AccountRooms } from '#web/features/account/account-rooms.tsx'
import { ProfileScreen } from '#web/features/profiles/profile-screen.tsx'
import { profileQuery } from '#web/features/profiles/queries.ts'
import { roleQuery } from '#web/features/users/role-query.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import '#web/styles/account.css'

export const meta = () => pageMeta('My Profile')

// customers need none of it
const Overview = lazy(() => import('./overview.tsx'))

/** What is first depends on the role; when that can not be known, everybody has a profile. */
function FirstRoom({ email }: { email: string }) {
  const { data: isAdmin, failureCount } = useQuery(roleQuery(email))
  usePrefetchQuery(profileQuery(email))
  const checking = <Spinner label="Checking your role" page />
  if (isAdmin) {
    return (
      <Suspense fallback={checking}>
        <Overview email={email} />
      </Suspense>
    )
  }
  if (isAdmin === undefined && failureCount === 0) return checking
  return (
    <>
      <ProfileScreen email={email} />
      <AccountRooms email={email} />
    </>
  )
}

export default function MyProfile() {
  const { user } = useSession()
  return user && <FirstRoom email={user.email} />
}
