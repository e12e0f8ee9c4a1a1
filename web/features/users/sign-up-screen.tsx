import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { messages } from '#contracts/messages.ts'
import { SignUp } from '#contracts/users.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { exchangeToken } from '#web/lib/exchange.ts'
import { identity } from '#web/lib/identity/embedded.ts'
import { useSession } from '#web/lib/session.ts'
import { toast } from '#web/lib/toast.ts'
import { AuthCard, FormError } from './auth-card.tsx'
import { GoOn } from './go-on.tsx'
import { PasswordField } from './password-field.tsx'

/** Signs up. The same form sent again, after the account was made but the shop did not answer, goes on from there. */
function makeSignUp() {
  let made = ''
  return async (form: SignUp): Promise<void> => {
    const { name, email, password } = form
    const asked = JSON.stringify([name, email, password])
    if (made !== asked) {
      await identity.createAccount(name, email, password)
      made = asked
      void toast('success', messages.verificationSent)
    }
    await exchangeToken(email)
  }
}

export function SignUpScreen() {
  const { status } = useSession()
  const { state } = useLocation()
  const [signUp] = useState(makeSignUp)
  const create = useMutation({ mutationFn: signUp })
  const { register, handleSubmit, formState } = useForm<SignUp>({
    resolver: zodResolver(SignUp),
    mode: 'onTouched',
  })
  const { errors } = formState
  if (status === 'user') return <GoOn otherwise="/home" />
  return (
    <AuthCard title="Sign Up">
      <form
        noValidate
        method="post"
        className="mt-6"
        onSubmit={handleSubmit((form) => create.mutate(form))}
      >
        <Field
          label="Name"
          autoComplete="name"
          required
          error={errors.name?.message}
          {...register('name')}
        />
        <Field
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          hint="6 characters or longer"
          autoComplete="new-password"
          required
          error={errors.password?.message}
          {...register('password')}
        />
        <Button
          type="submit"
          ready={status !== 'unknown'}
          className="mt-2 w-full"
          loading={create.isPending}
        >
          Sign Up
        </Button>
        <div className="mt-3">
          <FormError error={create.error} />
        </div>
      </form>
      <p className="mt-1">
        <Link to="/login" state={state} className="link">
          Already have an account? Please login
        </Link>
      </p>
    </AuthCard>
  )
}
