import { useEffect } from 'react'
import { AccountRooms } from '#web/features/account/account-rooms.tsx'
import { OverviewPage } from '#web/features/overview/overview-page.tsx'
import { ProfileScreen } from '#web/features/profiles/profile-screen.tsx'
import '#web/styles/account.css'
import '#web/styles/overview.css'

/** What an admin sees at /dashboard: how the shop is doing, then their own profile. */
export default function Overview({ email }: { email: string }) {
  // the route can not know who looks at it, and calls itself My Profile
  useEffect(() => {
    document.title = 'Overview · Ferrite'
  }, [])
  return (
    <OverviewPage>
      <ProfileScreen email={email} heading="h2" />
      <AccountRooms email={email} />
    </OverviewPage>
  )
}
