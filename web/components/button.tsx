import type { ComponentProps } from 'react'
import { Link } from 'react-router'

export type ButtonVariant = 'primary' | 'quiet' | 'danger'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  /** While true the button says `loadingText`, is announced as busy, and does nothing. */
  loading?: boolean
  loadingText?: string
  /** False until the scripts run: a click must not be lost, so the button waits, looking as ever. */
  ready?: boolean
}

/** A pill that acts. `type` is `button` unless given. */
export function Button({
  variant = 'primary',
  loading = false,
  loadingText = 'loading',
  ready = true,
  disabled,
  className = '',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant} ${className}`}
      disabled={disabled || loading || !ready}
      data-waiting={ready ? undefined : ''}
      aria-busy={loading || undefined}
    >
      {loading ? loadingText : children}
    </button>
  )
}

/** A pill that leads somewhere. */
export function ButtonLink({
  variant = 'primary',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & { variant?: ButtonVariant }) {
  return <Link {...rest} className={`button button-${variant} ${className}`} />
}
