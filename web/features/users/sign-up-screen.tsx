import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { Shop } from '#contracts/shop.ts'
import { SignUp } from '#contracts/users.ts'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { exchangeToken } from '#web/lib/exchange.ts'
import { identity } from '#web/lib/identity/embedded.ts'
import { useSession } from '#web/lib/session.ts'
import { toast } from '#web/lib/toast.ts'
import { AuthCard } from './auth-card.tsx'
import { FormError, waysOut } from './form-error.tsx'
import { GoOn } from './go-on.tsx'
import { GoogleButton } from './google-button.tsx'
import { NeedsScript } from './needs-script.tsx'
import { PasswordField } from './password-field.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useAttempts } from './use-attempts.ts'
import { useGoogle } from './use-google.ts'
import { useReturnPath } from './use-return-path.ts'
import { WhyAccount } from './why-account.tsx'

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

function SignUpForm({ busy, onSend }: { busy: boolean; onSend: (form: SignUp) => void }) {
  const { register, handleSubmit, formState } = useForm<SignUp>({
    resolver: zodResolver(SignUp),
    mode: 'onTouched',
  })
  const { errors } = formState
  return (
    <Form className="mt-6" onSubmit={handleSubmit(onSend)}>
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
      <SubmitButton busy={busy}>Sign Up</SubmitButton>
    </Form>
  )
}

export function SignUpScreen({ shop }: { shop: Shop }) {
  const { status } = useSession()
  const { state } = useLocation()
  const from = useReturnPath()
  const [signUp] = useState(makeSignUp)
  const { busy, trouble, attempt } = useAttempts()
  const google = useGoogle(shop.publicUrl, attempt)
  if (status === 'user') return <GoOn otherwise="/home" />
  const door = shop.identity.google
  return (
    <AuthCard title="Sign Up" beside={<WhyAccount holdMinutes={shop.holdMinutes} />}>
      <NeedsScript otherwise="Signing up needs JavaScript. Turn it on for this shop and load the page again.">
        <SignUpForm busy={busy} onSend={(form) => void attempt(signUp(form))} />
        <div className="min-h-9">
          <FormError error={trouble} ways={waysOut(shop, from ?? '/home')} />
        </div>
      </NeedsScript>
      <p className="mt-2">
        <Link to="/login" state={state ?? { from }} className="link">
          Already have an account? Please login
        </Link>
      </p>
      {door && <GoogleButton google={google} door={door} waits={busy} />}
    </AuthCard>
  )
}
