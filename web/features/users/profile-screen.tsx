import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ExportButton } from '#web/components/export-button.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError, callShop } from '#web/lib/api.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { accountRow, LoginSection } from './login-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { meQuery, profileQuery } from './queries.ts'
import { SessionsSection } from './sessions-section.tsx'

/** A copy of all that the shop knows about the user, and its end. */
function DataSection({ email }: { email: string }) {
  const [leaving, setLeaving] = useState(false)
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  useSignedOutBy(refusal)
  // so that the dialog knows what to ask for when it opens
  usePrefetchQuery(meQuery(email))
  const myData = () =>
    callShop('/api/me/data').catch((error) => {
      if (error instanceof ApiError) setRefusal(error)
      throw error
    })
  return (
    <section aria-labelledby="my-data">
      <h2 id="my-data" className="text-2xl font-bold tracking-tight">
        Your data
      </h2>
      <div className="card mt-4 divide-y divide-line px-6 py-2 sm:px-8">
        <div className={accountRow}>
          <p className="max-w-[48ch] grow basis-72 text-dim">
            Everything that we know about you, as one file: account, profile, orders, reviews,
            mails, logins, and what we did with your orders.
          </p>
          <ExportButton name="my-data" type="json" words="Download my data" onExport={myData} />
        </div>
        <div className={accountRow}>
          <p className="max-w-[48ch] grow basis-72 text-dim">
            Your account, profile and unpaid orders go for good. Orders that you paid stay in our
            books without your name.
          </p>
          <RowButton className="text-danger" onClick={() => setLeaving(true)}>
            Delete my account
          </RowButton>
        </div>
      </div>
      {leaving && <DeleteAccountDialog email={email} onCancel={() => setLeaving(false)} />}
    </section>
  )
}

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
