import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Spinner } from '#web/components/spinner.tsx'
import { OverviewPage } from '#web/features/overview/overview-page.tsx'
import { ProfileScreen } from '#web/features/profiles/profile-screen.tsx'
import { profileQuery } from '#web/features/profiles/queries.ts'
import { roleQuery } from '#web/features/users/role-query.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'

export const meta = () => pageMeta('My Profile')

/** What is first depends on the role; when that can not be known, everybody has a profile. */
function FirstRoom({ email }: { email: string }) {
  const { data: isAdmin, failureCount } = useQuery(roleQuery(email))
  usePrefetchQuery(profileQuery(email))
  if (isAdmin) {
    return (
      <OverviewPage>
        <ProfileScreen email={email} heading="h2" />
      </OverviewPage>
    )
  }
  if (isAdmin === undefined && failureCount === 0)
    return <Spinner label="Checking your role" page />
  return <ProfileScreen email={email} />
}

export default function MyProfile() {
  const { user } = useSession()
  return user && <FirstRoom email={user.email} />
}
