import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import { NewPassword } from '#contracts/users.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import { IdentityError } from '#web/lib/identity/port.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { titled } from '#web/lib/page-meta.ts'
import { forgetSession } from '#web/lib/session/session.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { AuthCard, FormError, PasswordField, SubmitButton } from './auth-form.tsx'
import { ForgotPassword } from './mailed-links.tsx'

export const meta = titled('New password')

export const handle: PageHandle = { query: ['token', 'error'], keyInAddress: true }

/** An expired, used or broken link, and a way to get a new one. */
function DeadLink() {
  const [error, setError] = useState<Error | null>(null)
  return (
    <AuthCard title="This link doesn’t work">
      <p className="mt-5 text-dim">
        A password link works once, and only for one hour. Ask for a new one, and open it from the
        newest email.
      </p>
      <div className="mt-6 flex flex-wrap items-center gap-5">
        <ForgotPassword typed={() => ''} onError={setError} />
        <ButtonLink to="/login" variant="quiet">
          Go to login
        </ButtonLink>
      </div>
      <FormError error={error} />
    </AuthCard>
  )
}

function NewPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const reset = useMutation({
    mutationFn: async (form: NewPassword) => (await provider()).resetPassword(token, form.password),
    onSuccess: (email) => {
      // the provider ends every session at a reset, including this browser's
      forgetSession()
      void toast('success', 'Your new password is set. Please log in with it.')
      void navigate('/login', { replace: true, state: { email } })
    },
  })
  const { register, handleSubmit, formState } = useForm<NewPassword>({
    resolver: zodResolver(NewPassword),
    mode: 'onTouched',
  })
  const { error } = reset
  if (error instanceof IdentityError && error.code === 'auth/invalid-action-code') {
    return <DeadLink />
  }
  return (
    <AuthCard title="New password">
      <Form className="mt-6" onSubmit={handleSubmit((form) => reset.mutate(form))}>
        <PasswordField
          label="Password"
          hint="6 characters or longer"
          autoComplete="new-password"
          required
          error={formState.errors.password?.message}
          {...register('password')}
        />
        <SubmitButton busy={reset.isPending}>Set new password</SubmitButton>
        <FormError error={error} />
      </Form>
    </AuthCard>
  )
}

/** The target of the mailed link: with a token in the query, or with the provider's error. */
export default function ResetPasswordScreen() {
  const [search] = useSearchParams()
  const token = search.get('token')
  return token && !search.has('error') ? <NewPasswordForm token={token} /> : <DeadLink />
}
