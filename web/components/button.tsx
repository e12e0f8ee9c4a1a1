import type { ComponentProps, MouseEvent } from 'react'
import { Link } from 'react-router'

export type ButtonVariant = 'primary' | 'quiet' | 'danger'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  /** While true the button says `loadingText`, is announced as busy, and does nothing. */
  loading?: boolean
  loadingText?: string
  /** Something else is under way: the button keeps its words and does nothing. */
  waits?: boolean
}

/** Also keeps Enter in a field from sending the form: browsers send by a click on its button. */
const ignore = (event: MouseEvent) => event.preventDefault()

/**
 * A pill that acts. `type` is `button` unless given. A button that is busy is never `disabled`, which would take the
 * focus away from under a keyboard: it stays where it is and ignores clicks.
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

/** A pill that leads somewhere. */
export function ButtonLink({
  variant = 'primary',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & { variant?: ButtonVariant }) {
  return <Link {...rest} className={`button button-${variant} ${className}`} />
}
