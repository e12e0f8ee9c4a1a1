import type { ReactNode } from 'react'
import type { Shop } from '#contracts/shop.ts'
import { type IdentityCode, troubleText } from '#web/lib/identity/messages.ts'
import { IdentityError } from '#web/lib/identity/port.ts'
import { sameTabAddress } from './use-google.ts'

type WaysOut = Partial<Record<IdentityCode, ReactNode>>

/** Where to go on after refusals that have a way around. @param from where to go back to afterwards */
export function waysOut({ publicUrl }: Shop, from: string): WaysOut {
  return {
    'auth/popup-blocked': (
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

/** What the provider said, in red under the form, and the way around it where there is one. */
export function FormError({ error, ways = {} }: { error: Error | null; ways?: WaysOut }) {
  return (
    <p role="alert" className="pt-3 text-danger empty:pt-0">
      {error && (
        <>
          {troubleText(error)} {error instanceof IdentityError && ways[error.code]}
        </>
      )}
    </p>
  )
}
