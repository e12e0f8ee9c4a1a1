import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Login } from '#contracts/users.ts'
import { Form } from '#web/components/form.tsx'
import { exchangeToken } from '#web/lib/exchange.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { AuthCard, NeedsScript, PasswordField, SubmitButton } from './auth-form.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { FormError } from './form-error.tsx'
import { useAttempts } from './use-attempts.ts'

type Link = { token: string; email: string }

/** Signs in, then follows the mailed link again: where the account is signed in it counts. */
async function confirm({ email, password }: Login, token: string): Promise<void> {
  const identity = await provider()
  await identity.signIn(email, password)
  await exchangeToken(email)
  await identity.confirmAddress(token)
  location.assign('/verified')
}

function PasswordForm({
  email,
  busy,
  onSend,
}: {
  email: string
  busy: boolean
  onSend: (form: Login) => void
}) {
  const { register, handleSubmit, formState } = useForm<Login>({
    resolver: zodResolver(Login),
    mode: 'onTouched',
    defaultValues: { email, password: '' },
  })
  return (
    <Form className="mt-6" onSubmit={handleSubmit(onSend)}>
      {/* for the password manager, which goes by the address */}
      <input type="email" hidden readOnly autoComplete="username" {...register('email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <SubmitButton busy={busy}>Confirm my address</SubmitButton>
    </Form>
  )
}

/** Where the mailed link leads in a browser that is not signed in to the account: the password proves who clicked it. */
export function ConfirmHere({ token, email }: Link) {
  const { busy, error, setError, attempt } = useAttempts()
  return (
    <AuthCard title="One more step">
      <p className="mt-5">
        You are not logged in as <strong className="break-words">{email}</strong> in this browser.
        Enter the password you chose when you signed up, and the address is confirmed.
      </p>
      <NeedsScript otherwise="Confirming here needs JavaScript. Turn it on for this shop and load the page again, or open the link in the browser in which you signed up.">
        <PasswordForm
          email={email}
          busy={busy}
          onSend={(form) => void attempt(confirm(form, token))}
        />
        <FormError error={error} />
      </NeedsScript>
      <div className="mt-6 grid gap-1 border-line border-t pt-5 text-dim">
        <p>
          You did not sign up? Leave this page, and nothing happens. Or set a password of your own:
          then the account is yours alone.
        </p>
        <div>
          <ForgotPassword typed={() => email} onError={setError} />
        </div>
      </div>
    </AuthCard>
  )
}
