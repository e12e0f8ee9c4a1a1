import { zodResolver } from '@hookform/resolvers/zod'
import { type ComponentProps, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { IdentityError } from '#web/lib/identity/port.ts'
import { enterCode } from '#web/lib/identity/second-factor.ts'
import { exchangeToken } from '#web/lib/session/exchange.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { type Attempts, AuthCard, FormError, SubmitButton } from './auth-form.tsx'

export const TypedCode = z.object({
  code: z.string().trim().min(1, 'Enter a code').max(40, 'That’s too long for a code'),
})

/** The hint of a field that takes both kinds of codes. */
export const codeHint = 'The six digits from your authenticator app, or a recovery code'

/** The attributes of an input for a code. */
export const codeInput = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const

const isCode = (error: Error | null, code: IdentityError['code']) =>
  error instanceof IdentityError && error.code === code

/**
 * Whether the screen has to ask for a one-time code: after a password or Google, until the code was
 * accepted or the sign-in is over.
 */
export function useCodeStep({ error }: Pick<Attempts, 'error'>): boolean {
  const isElsewhere = useShop().identity.firebase !== null
  const [isAsked, setAsked] = useState(false)
  const asks = !isElsewhere && isCode(error, 'auth/multi-factor-auth-required')
  const isOver = isCode(error, 'auth/user-token-expired')
  if (asks && !isAsked) setAsked(true)
  if (isOver && isAsked) setAsked(false)
  return asks || (isAsked && !isOver)
}

/**
 * The form of the second step of a login.
 * @param onEntered runs after the session began
 */
function CodeForm({
  attempts: { busy, error, attempt },
  onEntered,
}: {
  attempts: Pick<Attempts, 'busy' | 'error' | 'attempt'>
  onEntered?: () => Promise<void>
}) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(TypedCode),
    defaultValues: { code: '' },
  })
  async function enter(code: string) {
    await enterCode(code)
    await exchangeToken()
    await onEntered?.()
  }
  return (
    <Form className="mt-6" onSubmit={handleSubmit(({ code }) => void attempt(enter(code)))}>
      <Field
        label="Code"
        hint={codeHint}
        autoFocus
        {...codeInput}
        error={formState.errors.code?.message}
        {...register('code')}
      />
      <SubmitButton busy={busy}>Login</SubmitButton>
      <div className="min-h-9">
        <FormError error={isCode(error, 'auth/multi-factor-auth-required') ? null : error} />
      </div>
    </Form>
  )
}

/** The screen of the second step of a login. */
export function CodeStep(props: ComponentProps<typeof CodeForm>) {
  return (
    <AuthCard title="Login">
      <p className="mt-5">One more step: your account has a second factor.</p>
      <CodeForm {...props} />
      <p className="mt-3 text-dim text-sm">
        Lost your phone and recovery codes? Whoever runs the shop’s server can turn the second
        factor off.
      </p>
    </AuthCard>
  )
}
