import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { Check, MailQuestion, Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { basketText } from '#contracts/basket.ts'
import { counted } from '#contracts/counted.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { Email, Login } from '#contracts/users.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import { useBasket } from '#web/lib/basket.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { titled } from '#web/lib/page-meta.ts'
import { exchangeToken, renewToken } from '#web/lib/session/exchange.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useShopName } from '#web/lib/use-shop.ts'
import {
  AuthCard,
  FormError,
  NeedsScript,
  PasswordField,
  SubmitButton,
  useAttempts,
} from './auth-form.tsx'
import { CodeStep, useCodeStep } from './code-form.tsx'
import { ForgotPassword, ResendVerification } from './mailed-links.tsx'

export const meta = titled('Address confirmation')

export const handle: PageHandle = { query: ['error', 'token', 'email'], keyInAddress: true }

/** Messages for the provider's error codes; other codes get a general one. */
const reasons: Record<string, string> = {
  TOKEN_EXPIRED: 'It’s more than an hour old.',
  INVALID_TOKEN: 'It’s incomplete: perhaps only part of it was copied.',
  ADDRESS_TAKEN: 'Another account now has this address.',
  USER_NOT_FOUND: 'Its account no longer exists.',
}

const icon = 'flex-none rounded-full p-2 text-card'

function Outcome({ sign, children }: { sign: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-5 flex gap-4">
      {sign}
      <div className="grid gap-2">{children}</div>
    </div>
  )
}

const dashboard = (
  <ButtonLink to="/dashboard" variant="quiet">
    Dashboard
  </ButtonLink>
)

/** A basket waits for this at times, also one of another device: it is the account's. */
function Verified() {
  const name = useShopName()
  const lines = useBasket()
  const isWaiting = lines.length > 0
  return (
    <AuthCard title="Your address is confirmed">
      <Outcome sign={<Check className={`${icon} bg-green`} size={40} aria-hidden="true" />}>
        <p>
          No one else can use this address at {name}, and you can reset your password if you forget
          it.
        </p>
        <p className="text-dim">
          {isWaiting && `Your basket of ${counted(lines.length, 'part')} is waiting for you. `}
          You’ll find unpaid orders under My orders.
        </p>
      </Outcome>
      <div className="mt-7 flex flex-wrap gap-3">
        {isWaiting ? (
          <ButtonLink to={`/purchase?parts=${basketText(lines)}`}>Book your basket</ButtonLink>
        ) : (
          <ButtonLink to="/home">See the parts</ButtonLink>
        )}
        <ButtonLink to="/dashboard/myOrders" variant="quiet">
          My orders
        </ButtonLink>
        {dashboard}
      </div>
    </AuthCard>
  )
}

/**
 * Opened without a link: asks the provider for the state, because any visitor can open this URL.
 */
function AsItIs() {
  const { status, user } = useSession()
  const { data, error } = useQuery({
    queryKey: ['address verified', user?.email],
    queryFn: async () => {
      const isVerified = await (await provider()).isVerified()
      // the link may have changed the address: the renewed token contains the new one
      await renewToken()
      return isVerified
    },
    enabled: status === 'user',
    gcTime: 0,
  })
  if (data) return <Verified />
  // what visitors see is there from the first paint: CSS shows the right half before a script knows
  // the user
  const isAsked = status === 'unknown' || (status === 'user' && data === undefined && !error)
  return (
    <AuthCard title={user && !isAsked ? 'Not confirmed yet' : 'Your email address'}>
      <Outcome sign={<MailQuestion className={`${icon} bg-copper`} size={40} aria-hidden="true" />}>
        <p data-for="visitor">
          Log in to see whether it’s confirmed. When you sign up, we email you a link to confirm it.
        </p>
        <p data-for="user" className="min-h-[4.65em] sm:min-h-[3.1em]">
          {isAsked
            ? 'One moment: checking whether it’s confirmed.'
            : `We emailed ${user?.email} a link to confirm it. The link works for one hour.`}
        </p>
        <p className="text-dim">You can book and pay for one part in the meantime.</p>
      </Outcome>
      <div className="mt-7 flex flex-wrap items-center gap-3">
        <ButtonLink data-for="visitor" to="/login">
          Login
        </ButtonLink>
        <div data-for="user" className="contents">
          <ResendVerification />
        </div>
        <FormError error={error} />
      </div>
    </AuthCard>
  )
}

function NotVerified({ code }: { code: string }) {
  return (
    <AuthCard title="This link doesn’t work">
      <Outcome sign={<Unlink className={`${icon} bg-danger`} size={40} aria-hidden="true" />}>
        <p>{reasons[code] ?? 'We couldn’t use it.'} Your address isn’t confirmed yet.</p>
        <p className="text-dim">
          Ask for a new link, and open it from the newest email within one hour. You can book and
          pay for one part in the meantime.
        </p>
      </Outcome>
      <div className="mt-7 flex flex-wrap items-center gap-3">
        <ResendVerification />
      </div>
    </AuthCard>
  )
}

/**
 * The target of the verification link: with an empty query, with the provider's error, or with the
 * link's own token if the account is not signed in.
 */
export default function VerifiedScreen() {
  const [search] = useSearchParams()
  const code = search.get('error')
  const token = search.get('token')
  const email = Email.safeParse(search.get('email')).data
  if (code !== null) return <NotVerified code={code} />
  return token && email ? <VerifyHere token={token} email={email} /> : <AsItIs />
}

type Link = { token: string; email: string }

/** Signs in, then follows the mailed link again: it counts only where the account is signed in. */
async function verify({ email, password }: Login, token: string): Promise<void> {
  const identity = await provider()
  await identity.signIn(email, password)
  await exchangeToken(email)
  await follow(token)
}

async function follow(token: string): Promise<void> {
  await (await provider()).verifyAddress(token)
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
      {/* for the password manager, which identifies the account by the address */}
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

/**
 * The target of the mailed link in a browser without the account's session: the password proves who
 * clicked.
 */
function VerifyHere({ token, email }: Link) {
  const attempts = useAttempts()
  const { busy, error, setError, attempt } = attempts
  if (useCodeStep(attempts)) return <CodeStep attempts={attempts} onEntered={() => follow(token)} />
  return (
    <AuthCard title="One more step">
      <p className="mt-5">
        You’re not logged in as <strong className="break-words">{email}</strong> in this browser. To
        confirm your address, enter the password you chose when you signed up.
      </p>
      <NeedsScript otherwise="Confirming here needs JavaScript. Turn it on for this shop and reload the page, or open the link in the browser you signed up with.">
        <PasswordForm
          email={email}
          busy={busy}
          onSend={(form) => void attempt(verify(form, token))}
        />
        <FormError error={error} />
      </NeedsScript>
      <div className="mt-6 grid gap-1 border-line border-t pt-5 text-dim">
        <p>
          Didn’t sign up? Leave this page, and nothing happens. Or set your own password to make the
          account yours alone.
        </p>
        <div>
          <ForgotPassword typed={() => email} onError={setError} />
        </div>
      </div>
    </AuthCard>
  )
}
