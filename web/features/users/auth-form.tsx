import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useState,
} from 'react'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Icon } from '#web/components/icon.tsx'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { type IdentityCode, IdentityError } from '#web/lib/identity/port.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useErrorInTitle } from '#web/lib/page-title.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useReturnPath } from './redirect-back.tsx'

type AuthCardProps = {
  title: string
  children: ReactNode
  /** Shown beside the card on a wide screen. */
  beside?: ReactNode
}

/** The card of the account screens. `title` is the page's heading. */
export function AuthCard({ title, children, beside }: AuthCardProps) {
  return (
    <div
      className={`column grid gap-6 py-10 md:py-16 ${beside ? 'lg:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]' : 'grid-cols-[minmax(0,30rem)] justify-center'}`}
    >
      <div className="card w-full max-w-[30rem] justify-self-center p-6 sm:p-9 lg:max-w-none">
        <h1 className="text-4xl font-bold tracking-tight">{title}</h1>
        {children}
      </div>
      {beside}
    </div>
  )
}

/** A password input with a button that shows the password. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'end'>) {
  const [isVisible, setVisible] = useState(false)
  return (
    <Field
      {...props}
      type={isVisible ? 'text' : 'password'}
      end={
        <button
          type="button"
          className="icon-button mt-1.5"
          aria-label={isVisible ? 'Hide password' : 'Show password'}
          aria-pressed={isVisible}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon of={isVisible ? 'hidden' : 'seen'} />
        </button>
      }
    />
  )
}

type SubmitButtonProps = {
  /** An authentication action is running: the button says 'loading'. */
  busy: boolean
  children: ReactNode
}

/** Submits the form of an account screen. */
export function SubmitButton({ busy, children }: SubmitButtonProps) {
  return (
    <>
      <Button type="submit" className="mt-2 w-full" loading={busy}>
        {children}
      </Button>
      {/* screen readers do not announce the new text of a busy button */}
      <span role="status" className="sr-only">
        {busy && 'Please wait'}
      </span>
    </>
  )
}

/** Content that needs JavaScript, hidden without it; `otherwise` is the message shown instead. */
export function NeedsScript({ otherwise, children }: { otherwise: string; children: ReactNode }) {
  return (
    <>
      <noscript>
        <p className="mt-5">{otherwise}</p>
      </noscript>
      <div className="needs-script">{children}</div>
    </>
  )
}

const loadPurchase = withTimeout(() => import('./purchase-that-waits.tsx'))
const PurchaseThatWaits = lazy<ComponentType<{ at: string; verb: string }>>(() =>
  // the form works without it
  loadPurchase().catch(() => ({ default: () => null })),
)

/**
 * The part, or the parts of the basket, that a visitor wants to book; above the forms of Login and
 * Sign Up.
 */
export function Waiting({ verb }: { verb: 'Log in' | 'Sign up' }) {
  const from = useReturnPath() ?? ''
  // the server has no navigation state
  const isRendered = useSession().status !== 'unknown'
  return (
    /^\/purchase[/?]/.test(from) &&
    isRendered && (
      <Suspense fallback={<div className="mt-5 h-33" />}>
        <PurchaseThatWaits at={from} verb={verb} />
      </Suspense>
    )
  )
}

export type WaysOut = Partial<Record<IdentityCode, ReactNode>>

/** Whether the user closed Google's window on purpose, which is not an error to show. */
export const isClosedByHand = (error: Error | null): boolean =>
  error instanceof IdentityError && error.code === 'auth/popup-closed-by-user'

/** The provider's error in red below the form, with a way around it if there is one. */
export function FormError(props: { error: Error | null; ways?: WaysOut }) {
  const { ways = {} } = props
  const error = isClosedByHand(props.error) ? null : props.error
  useErrorInTitle(error !== null)
  return (
    <p role="alert" className="pt-3 text-danger empty:pt-0">
      {error && (
        <>
          {errorMessage(error)} {error instanceof IdentityError && ways[error.code]}
        </>
      )}
    </p>
  )
}

export type Attempts = {
  /** Whether an action is running. */
  busy: boolean
  /** The latest error; cleared when a new action begins. */
  error: Error | null
  setError: (error: Error | null) => void
  /** Shows that the action is running until it ends, and its error. */
  attempt: (action: Promise<void>) => Promise<void>
}

/**
 * The authentication actions of one screen. Several may run at once: a second popup may open before
 * the first has ended.
 */
export function useAttempts(before: Error | null = null): Attempts {
  const [running, setRunning] = useState(0)
  const [error, setError] = useState(before)
  const attempt = useCallback(async (action: Promise<void>) => {
    setError(null)
    setRunning((count) => count + 1)
    try {
      await action
    } catch (error) {
      setError(error as Error)
    } finally {
      setRunning((count) => count - 1)
    }
  }, [])
  return { busy: running > 0, error, setError, attempt }
}
