import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import { Login } from '#contracts/users.ts'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { provider } from '#web/lib/identity/provider.ts'
import { titled } from '#web/lib/page-meta.ts'
import { exchangeToken } from '#web/lib/session/exchange.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useShop } from '#web/lib/use-shop.ts'
import {
  AuthCard,
  FormError,
  NeedsScript,
  PasswordField,
  SubmitButton,
  Waiting,
} from './auth-form.tsx'
import { CodeStep, useCodeStep } from './code-form.tsx'
import { GoogleButton, useAttemptsAfterGoogle, useGoogle, waysOut } from './google-button.tsx'
import { ForgotPassword } from './mailed-links.tsx'
import { RedirectBack, useReturnPath } from './redirect-back.tsx'
import { WhyAccount } from './why-account.tsx'

export const meta = titled('Login', 'Log in to book parts and see your orders.')

export const handle: PageHandle = { query: ['google'] }

async function logIn({ email, password }: Login): Promise<void> {
  await (await provider()).signIn(email, password)
  await exchangeToken(email)
}

/** The Login form and its messages; `onError` gets errors of 'Forgot password?'. */
function LoginForm(props: {
  busy: boolean
  /** The address known from the previous screen. */
  email: string | undefined
  onSend: (form: Login) => void
  onError: (error: Error | null) => void
}) {
  const { register, handleSubmit, formState, getValues } = useForm<Login>({
    resolver: zodResolver(Login),
    mode: 'onTouched',
    // without one, text typed before the scripts loaded stays
    ...(props.email && { defaultValues: { email: props.email } }),
  })
  return (
    <Form className="mt-6" onSubmit={handleSubmit(props.onSend)}>
      <Field
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <div className="-mt-1 mb-2">
        <ForgotPassword typed={() => getValues('email')} onError={props.onError} />
      </div>
      <SubmitButton busy={props.busy}>Login</SubmitButton>
    </Form>
  )
}

/**
 * Reads the navigation state of the previous screen: an address, and whether the session ended on
 * its own.
 */
function handedOver(state: unknown): { email?: string; ended: boolean } {
  const { email, ended } = (state ?? {}) as { email?: unknown; ended?: unknown }
  return { ended: ended === true, ...(typeof email === 'string' && { email }) }
}

export default function LoginScreen() {
  const shop = useShop()
  const { user } = useSession()
  const { state } = useLocation()
  const { email, ended } = handedOver(state)
  const from = useReturnPath()
  const { returning, ...attempts } = useAttemptsAfterGoogle()
  const { busy, error, setError, attempt } = attempts
  const asksCode = useCodeStep(attempts)
  const google = useGoogle(shop, from ?? '/', attempt)
  if (user && !returning) return <RedirectBack email={user.email} otherwise="/" />
  if (asksCode) return <CodeStep attempts={attempts} />
  const provider = shop.identity.google
  return (
    <AuthCard title="Login" beside={<WhyAccount holdMinutes={shop.holdMinutes} />}>
      <Waiting verb="Log in" />
      {ended && (
        <p role="status" className="mt-4">
          You’ve been logged out. Log in to continue.
        </p>
      )}
      <NeedsScript otherwise="Logging in needs JavaScript. Turn it on for this shop and reload the page.">
        <LoginForm
          busy={busy}
          email={email}
          onSend={(form) => void attempt(logIn(form))}
          onError={setError}
        />
        <div className="min-h-9">
          <FormError error={error} ways={waysOut(shop, from ?? '/')} />
        </div>
      </NeedsScript>
      <p className="mt-2">
        <Link to="/register" state={state ?? { from }} className="link">
          New here? Create new account
        </Link>
      </p>
      {provider && <GoogleButton google={google} provider={provider} waits={busy} error={error} />}
    </AuthCard>
  )
}
