import type { ReactNode } from 'react'
import type { Shop } from '#contracts/shop.ts'
import { errorMessage } from '#web/lib/identity/messages.ts'
import type { IdentityCode } from '#web/lib/identity/port.ts'
import { IdentityError } from '#web/lib/identity/port.ts'
import { useErrorInTitle } from '#web/lib/page-title.ts'
import { sameTabAddress } from './use-google.ts'

export type WaysOut = Partial<Record<IdentityCode, ReactNode>>

/** Where to go on after refusals that have a way around. @param from where to go back to afterwards */
export function waysOut({ publicUrl, identity }: Shop, from: string): WaysOut {
  return {
    // Firebase has no such way to a shop at another domain
    'auth/popup-blocked': !identity.firebase && (
      <a className="link" href={sameTabAddress(from)}>
        Use this tab instead
      </a>
    ),
    'auth/unauthorized-domain': (
      <a className="link" href={`${publicUrl}/login`}>
        {publicUrl}
      </a>
    ),
  }
}

/** The user closed Google's window on purpose: no error to show. */
export const isClosedByHand = (error: Error | null): boolean =>
  error instanceof IdentityError && error.code === 'auth/popup-closed-by-user'

/** What the provider said, in red under the form, and the way around it where there is one. */
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
