import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { Login } from '#contracts/users.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { exchangeToken } from '#web/lib/exchange.ts'
import { identity } from '#web/lib/identity/embedded.ts'
import { useSession } from '#web/lib/session.ts'
import { AuthCard, FormError } from './auth-card.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { GoOn } from './go-on.tsx'
import { PasswordField } from './password-field.tsx'

async function logIn({ email, password }: Login): Promise<void> {
  await identity.signIn(email, password)
  await exchangeToken(email)
}

export function LoginScreen() {
  const { status } = useSession()
  const { state } = useLocation()
  const login = useMutation({ mutationFn: logIn })
  const { register, handleSubmit, formState, getValues } = useForm<Login>({
    resolver: zodResolver(Login),
    mode: 'onTouched',
  })
  if (status === 'user') return <GoOn otherwise="/" />
  return (
    <AuthCard title="Login">
      <form
        noValidate
        method="post"
        className="mt-6"
        onSubmit={handleSubmit((form) => login.mutate(form))}
      >
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
        <div className="-mt-1 mb-4">
          <ForgotPassword typed={() => getValues('email')} />
        </div>
        <Button
          type="submit"
          ready={status !== 'unknown'}
          className="w-full"
          loading={login.isPending}
        >
          Login
        </Button>
        <div className="mt-3">
          <FormError error={login.error} />
        </div>
      </form>
      <p className="mt-1">
        <Link to="/register" state={state} className="link">
          New to treatment service? Create new account
        </Link>
      </p>
    </AuthCard>
  )
}
