import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { DataSection } from './data-section.tsx'
import { LoginSection } from './login-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { profileQuery } from './queries.ts'
import { SessionsSection } from './sessions-section.tsx'

export const meta = () => pageMeta('My Profile')

const fields = ['Name', 'Email', 'Education', 'Location', 'Phone', 'LinkedIn']

/** As tall as the form that follows it. */
function ProfileSkeleton() {
  return (
    <div aria-busy="true">
      <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">
        {fields.map((name) => (
          <div key={name} className="field">
            <span className="field-label">{name}</span>
            <Skeleton className="mt-1.5 h-12" />
            <p className="field-error" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-4 h-11 w-40 rounded-full" />
    </div>
  )
}

/** My Profile: what the shop knows about the user, to be filled in and changed. */
function MyProfile({ email }: { email: string }) {
  const { data: profile, error, refetch, isFetching } = useQuery(profileQuery(email))
  const leaving = useSignedOutBy(error)
  return (
    <section aria-labelledby="my-profile">
      <h1 id="my-profile" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        My Profile
      </h1>
      <p className="mt-2 mb-6 max-w-[56ch] text-dim">
        Only you and the shop's owner see this. Your phone is filled in when you book.
      </p>
      {!profile && error && !leaving ? (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      ) : (
        <div className="card max-w-3xl p-6 sm:p-8">
          {profile ? <ProfileForm key={email} profile={profile} /> : <ProfileSkeleton />}
        </div>
      )}
    </section>
  )
}

/** The profile, and below it the login, its sessions, and the account's data. */
export default function ProfileScreen() {
  const { user } = useSession()
  if (!user) return null
  const { email } = user
  return (
    <>
      <MyProfile email={email} />
      <div className="mt-12 grid max-w-3xl gap-12">
        <LoginSection email={email} />
        <SessionsSection email={email} />
        <DataSection email={email} />
      </div>
    </>
  )
}
