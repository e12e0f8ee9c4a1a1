import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { messages } from '#contracts/messages.ts'
import { type Profile, ProfileUpdate } from '#contracts/profiles.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ApiError } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { useUpdateProfile } from './queries.ts'

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

/** The form of My Profile. What was typed and not saved is there again after a detour. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { form, update, submit, discard } = useProfileForm(profile)
  const { errors, isDirty } = form.formState
  const refused = update.error instanceof ApiError ? update.error.fields : undefined
  const field = (name: keyof ProfileUpdate) => ({
    ...form.register(name),
    required: true,
    error: errors[name]?.message ?? refused?.[name],
  })
  return (
    <Form onSubmit={submit} onChange={() => update.isError && update.reset()}>
      <div className="grid gap-x-5 gap-y-1 sm:grid-cols-2">
        <Field label="Name" value={profile.name} readOnly autoComplete="name" />
        <Field label="Email" value={profile.email} readOnly autoComplete="email" />
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
  )
}
