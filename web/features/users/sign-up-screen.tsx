import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { messages } from '#contracts/messages.ts'
import { SignUp } from '#contracts/users.ts'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { emailSuggestion } from '#web/lib/email-suggestion.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { titled } from '#web/lib/page-meta.ts'
import { exchangeToken } from '#web/lib/session/exchange.ts'
import { useSession } from '#web/lib/session/session.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useShop } from '#web/lib/use-shop.ts'
import {
  AuthCard,
  FormError,
  NeedsScript,
  PasswordField,
  SubmitButton,
  useAttempts,
  Waiting,
} from './auth-form.tsx'
import { CodeStep, useCodeStep } from './code-form.tsx'
import { GoogleButton, useGoogle, waysOut } from './google-button.tsx'
import { RedirectBack, useReturnPath } from './redirect-back.tsx'
import { WhyAccount } from './why-account.tsx'

export const meta = titled('Sign Up', 'Create an account to book parts.')

/**
 * Signs up. If the same form is sent again after the account was created but the shop did not
 * respond, it continues from there.
 */
function makeSignUp() {
  let createdForm = ''
  return async (form: SignUp): Promise<void> => {
    const { name, email, password } = form
    const submitted = JSON.stringify([name, email, password])
    if (createdForm !== submitted) {
      await (await provider()).createAccount(name, email, password)
      createdForm = submitted
      void toast('success', messages.verificationSent)
    }
    await exchangeToken(email)
  }
}

function SignUpForm({ busy, onSend }: { busy: boolean; onSend: (form: SignUp) => void }) {
  const { register, handleSubmit, formState, watch, setValue, setFocus } = useForm<SignUp>({
    resolver: zodResolver(SignUp),
    mode: 'onTouched',
  })
  const { errors, touchedFields } = formState
  const suggestion = touchedFields.email ? emailSuggestion(watch('email') ?? '') : null
  const takeMeant = () => {
    if (suggestion) setValue('email', suggestion, { shouldValidate: true })
    setFocus('email')
  }
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
        doubt={
          suggestion && (
            <>
              Did you mean{' '}
              <button type="button" className="link" onClick={takeMeant}>
                {suggestion}
              </button>
              ?
            </>
          )
        }
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
      <p className="mt-3 text-dim text-sm">
        Our{' '}
        <Link to="/terms" className="link">
          terms
        </Link>{' '}
        apply to your account. What we keep about you is in our{' '}
        <Link to="/privacy" className="link">
          privacy policy
        </Link>
        .
      </p>
    </Form>
  )
}

export default function SignUpScreen() {
  const shop = useShop()
  const { user } = useSession()
  const { state } = useLocation()
  const from = useReturnPath()
  const [signUp] = useState(makeSignUp)
  const attempts = useAttempts()
  const { busy, error, attempt } = attempts
  const asksCode = useCodeStep(attempts)
  const [email, setEmail] = useState('')
  const google = useGoogle(shop, from ?? '/home', attempt)
  if (user) return <RedirectBack email={user.email} otherwise="/home" />
  if (asksCode) return <CodeStep attempts={attempts} />
  const provider = shop.identity.google
  const toLogin = { ...(state ?? { from }), email }
  const send = (form: SignUp) => {
    setEmail(form.email)
    void attempt(signUp(form))
  }
  return (
    <AuthCard title="Sign Up" beside={<WhyAccount holdMinutes={shop.holdMinutes} />}>
      <Waiting verb="Sign up" />
      <NeedsScript otherwise="Signing up needs JavaScript. Turn it on for this shop and reload the page.">
        <SignUpForm busy={busy} onSend={send} />
        <div className="min-h-9">
          <FormError
            error={error}
            ways={{
              ...waysOut(shop, from ?? '/home'),
              'auth/email-already-in-use': (
                <Link className="link" to="/login" state={toLogin}>
                  Log in with it
                </Link>
              ),
            }}
          />
        </div>
      </NeedsScript>
      <p className="mt-2">
        <Link to="/login" state={toLogin} className="link">
          Already have an account? Please login
        </Link>
      </p>
      {provider && <GoogleButton google={google} provider={provider} waits={busy} error={error} />}
    </AuthCard>
  )
}
