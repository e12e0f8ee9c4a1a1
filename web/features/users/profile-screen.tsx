import { zodResolver } from '@hookform/resolvers/zod'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Profile, ProfileUpdate } from '#contracts/account.ts'
import { messages } from '#contracts/messages.ts'
import { Button } from '#web/components/button.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError, callShop } from '#web/lib/api.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { accountRow } from './account-row.ts'
import { LoginSection, useAccountChanges } from './login-section.tsx'
import { meQuery, profileQuery, roleQuery, useUpdateProfile } from './queries.ts'
import { SessionsSection } from './sessions-section.tsx'

const DeleteAccountDialog = lazy(withTimeout(() => import('./delete-account-dialog.tsx')))

/** Exports all data that the shop stores about the user, and deletes the account. */
function DataSection({ email }: { email: string }) {
  const [leaving, setLeaving] = useState(false)
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  useSignedOutBy(refusal)
  // prefetched, so that the dialog shows the right input when it opens
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
          <p className="max-w-[52ch] grow basis-72 text-dim">
            Everything we know about you in one file: account, profile, addresses, orders, reviews,
            emails, logins, and what we did with your orders.
          </p>
          <ExportButton name="my-data" type="json" words="Download my data" onExport={myData} />
        </div>
        <div className={accountRow}>
          <p className="max-w-[52ch] grow basis-72 text-dim">
            Your account, profile and unpaid orders are deleted for good. Paid orders stay in our
            books without your name.
          </p>
          <RowButton className="text-danger" onClick={() => setLeaving(true)}>
            Delete my account
          </RowButton>
        </div>
      </div>
      {leaving && (
        <Suspense>
          <DeleteAccountDialog email={email} onCancel={() => setLeaving(false)} />
        </Suspense>
      )}
    </section>
  )
}

// most visits are for something else, and it brings the forms of addresses
const AddressesSection = lazy(
  withTimeout(() => import('#web/features/shipping/addresses-section.tsx')),
)

// customers have none
const SecondFactorSection = lazy(withTimeout(() => import('./second-factor-section.tsx')))

/**
 * The second factor of an admin or packer, and of whoever still has one. With Firebase, there is
 * none.
 */
function SecondFactor({ email }: { email: string }) {
  const isElsewhere = useShop().identity.firebase !== null
  const { data: role } = useQuery(roleQuery(email))
  const { data: me } = useQuery(meQuery(email))
  if (isElsewhere || !role || !me) return null
  if (role === 'customer' && !me.secondFactor) return null
  return (
    <Suspense fallback={<Skeleton className="h-44" />}>
      <SecondFactorSection email={email} isOn={me.secondFactor} />
    </Suspense>
  )
}

export const meta = titled('My Profile')

const fields = ['Name', 'Email', 'Education', 'Location', 'Phone', 'LinkedIn']

/** As tall as the form that replaces it. */
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

/** My Profile: the user's stored data, to be filled in and changed. */
function MyProfile({ email }: { email: string }) {
  const { data: profile, error, refetch, isFetching } = useQuery(profileQuery(email))
  const leaving = useSignedOutBy(error)
  return (
    <section aria-labelledby="my-profile">
      <h1 id="my-profile" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        My Profile
      </h1>
      <p className="mt-2 mb-6 max-w-[56ch] text-dim">
        Only you and the shop’s owner see this. Your first booking saves your phone number, so you
        don’t have to type it again.
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

/** The profile, and below it the login, the sessions, and the account's data. */
export default function ProfileScreen() {
  const { user } = useSession()
  if (!user) return null
  const { email } = user
  return (
    <>
      <MyProfile email={email} />
      <div className="mt-12 grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-12">
        <Suspense fallback={<Skeleton className="h-64" />}>
          <AddressesSection />
        </Suspense>
        <LoginSection email={email} />
        <SecondFactor email={email} />
        <SessionsSection email={email} />
        <DataSection email={email} />
      </div>
    </>
  )
}

const typedOf = ({ education, location, phone, linkedIn }: Profile | ProfileUpdate) => ({
  education: education ?? '',
  location: location ?? '',
  phone: phone ?? '',
  linkedIn: linkedIn ?? '',
})

function useProfileForm(profile: Profile) {
  const update = useUpdateProfile(profile)
  const form = useForm({
    resolver: zodResolver(ProfileUpdate),
    mode: 'onTouched',
    defaultValues: typedOf(profile),
  })
  const clearDraft = useDraft(form, 'profile', profile.email)
  useSignedOutBy(update.error)

  async function save(typed: ProfileUpdate) {
    try {
      await update.mutateAsync(typed)
      clearDraft()
      form.reset(typedOf(typed))
      void toast('success', messages.profileThanks)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        void toast('error', messages.nobodyLoggedIn)
      }
    }
  }

  function discard() {
    clearDraft()
    form.reset(typedOf(profile))
    update.reset()
  }

  return { form, update, submit: form.handleSubmit(save), discard }
}

/** The form of My Profile. Unsaved input is restored after leaving the page. */
function ProfileForm({ profile }: { profile: Profile }) {
  const { form, update, submit, discard } = useProfileForm(profile)
  const account = useAccountChanges(profile.email)
  const { errors, isDirty } = form.formState
  const refused = update.error instanceof ApiError ? update.error.fields : undefined
  const field = (name: keyof ProfileUpdate) => ({
    ...form.register(name),
    required: true,
    error: errors[name]?.message ?? refused?.[name],
  })
  return (
    <>
      <Form onSubmit={submit} onChange={() => update.isError && update.reset()}>
        {account.note}
        <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">
          <div className="known-field">
            <Field label="Name" value={profile.name} readOnly autoComplete="name" />
            {account.button('name')}
          </div>
          <div className="known-field">
            <Field label="Email" value={profile.email} readOnly autoComplete="email" />
            {account.hasPassword && account.button('email')}
          </div>
          <Field label="Education" autoComplete="off" {...field('education')} />
          <Field label="Location" autoComplete="address-level2" {...field('location')} />
          <Field label="Phone" type="tel" autoComplete="tel" {...field('phone')} />
          <Field
            label="LinkedIn"
            inputMode="url"
            autoComplete="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="linkedin.com/in/…"
            {...field('linkedIn')}
          />
        </div>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button type="submit" loading={update.isPending}>
            Update profile
          </Button>
          {isDirty && (
            <Button variant="quiet" waits={update.isPending} onClick={discard}>
              Discard changes
            </Button>
          )}
        </div>
        <p role="alert" className="pt-3 text-danger text-sm empty:pt-0">
          {!refused && update.error?.message}
        </p>
        <p role="status" className="pt-3 text-dim text-sm empty:pt-0">
          {isDirty && 'Not saved yet. What you typed stays in this tab until you save it.'}
        </p>
      </Form>
      {account.dialog}
    </>
  )
}
