import type { ComponentProps } from 'react'
import { useFocusFallback } from '#web/lib/focus-fallback.ts'

type Props = Omit<ComponentProps<'button'>, 'disabled' | 'ref'> & {
  /** The action is running. */
  busy?: boolean
  /** The action is not available. */
  off?: boolean
}

/** A small button in a row. Never `disabled`, because that would remove the keyboard focus. */
export function RowButton({ busy = false, off = false, onClick, className = '', ...rest }: Props) {
  const ref = useFocusFallback<HTMLButtonElement>()
  const waits = busy || off
  return (
    <button
      ref={ref}
      type="button"
      {...rest}
      className={`button button-quiet button-small ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={waits || undefined}
      onClick={waits ? undefined : onClick}
    />
  )
}
