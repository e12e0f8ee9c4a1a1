import type { ComponentProps, MouseEvent } from 'react'
import { Link } from 'react-router'

export type ButtonVariant = 'primary' | 'quiet' | 'danger'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  /** While true, the button shows `loadingText`, is announced as busy, and ignores clicks. */
  loading?: boolean
  loadingText?: string
  /** Another action is running: the button keeps its text and ignores clicks. */
  waits?: boolean
}

/** Also stops Enter in a field from submitting the form: browsers submit by clicking the button. */
const ignore = (event: MouseEvent) => event.preventDefault()

/**
 * A pill-shaped action button. `type` defaults to `button`. A busy button is never `disabled`,
 * because that would remove the keyboard focus; it keeps the focus and ignores clicks.
 */
export function Button({
  variant = 'primary',
  loading = false,
  loadingText = 'loading',
  waits = false,
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isIdle = !loading && !waits
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant} ${className}`}
      aria-busy={loading || undefined}
      aria-disabled={isIdle ? undefined : true}
      onClick={isIdle ? onClick : ignore}
    >
      {loading ? loadingText : children}
    </button>
  )
}

/** A pill-shaped link. */
export function ButtonLink({
  variant = 'primary',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & { variant?: ButtonVariant }) {
  return <Link {...rest} className={`button button-${variant} ${className}`} />
}
