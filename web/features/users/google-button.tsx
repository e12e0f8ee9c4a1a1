import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import { Button } from '#web/components/button.tsx'
import { identityCode } from '#web/lib/identity/messages.ts'
import { type IdentityCode, IdentityError } from '#web/lib/identity/port.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { exchangeToken } from '#web/lib/session/exchange.ts'
import { type Attempts, isClosedByHand, useAttempts, type WaysOut } from './auth-form.tsx'

/** Google's logo, drawn with four strokes. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" fill="none" strokeWidth="4" aria-hidden="true">
      <path stroke="#ea4335" d="M18.2 6.5A8.3 8.3 0 0 0 4.6 8.2" />
      <path stroke="#f9ab00" d="M4.6 8.2a8.3 8.3 0 0 0 0 7.6" />
      <path stroke="#34a853" d="M4.6 15.8a8.3 8.3 0 0 0 12.8 2.7" />
      <path stroke="#4285f4" d="M17.4 18.5a8.3 8.3 0 0 0 2.9-6.4H12" />
    </svg>
  )
}

type GoogleButtonProps = {
  google: Google
  provider: NonNullable<Shop['identity']['google']>
  /**
   * Another action is running. While Google's window is open the button still works: the newest
   * window counts.
   */
  waits: boolean
  /** The error of the latest attempt. */
  error: Error | null
}

function noteOn({ google, provider, error }: GoogleButtonProps) {
  if (google.open)
    return 'Continue in the window that opened. Can’t find it? Press the button for a new one.'
  if (isClosedByHand(error)) return 'The window was closed before you were logged in.'
  return (
    provider.sandbox &&
    'This is a demo: any name and email will do, and you don’t need a Google account.'
  )
}

/** The sign-in with Google, below the form. */
export function GoogleButton(props: GoogleButtonProps) {
  const { google, waits } = props
  return (
    <div className="needs-script">
      <p className="mt-6 flex items-center gap-4 text-dim text-sm before:flex-1 before:border-line before:border-t after:flex-1 after:border-line after:border-t">
        or
      </p>
      <Button
        variant="quiet"
        className="mt-5 w-full"
        waits={waits && !google.open}
        onClick={google.start}
      >
        <GoogleMark />
        continue with google
      </Button>
      <p role="status" className="mt-3 min-h-5 text-sm text-dim">
        {noteOn(props)}
      </p>
    </div>
  )
}

type Google = {
  /** Whether its window is open; a click then opens a newer one. */
  open: boolean
  start: () => void
}

/**
 * Sign-in with Google in a popup. Call `start` directly in the click handler, or the browser blocks
 * the window.
 * @param from the path of this site to return to afterwards
 */
export function useGoogle(
  { publicUrl, identity }: Shop,
  from: string,
  attempt: Attempts['attempt'],
): Google {
  const isElsewhere = identity.firebase !== null
  const [windows, setWindows] = useState(0)
  const enter = async (popup: Promise<void>) => {
    setWindows((count) => count + 1)
    await popup.finally(() => setWindows((count) => count - 1))
    await exchangeToken()
  }
  // with the script preloaded, the window opens inside the click
  useEffect(() => {
    if (isElsewhere) void provider().catch(() => {})
  }, [isElsewhere])
  function start() {
    // the press came long before the scripts: the browser would no longer open a window for it, so
    // use this tab
    const isLate = navigator.userActivation?.isActive === false
    if (isLate && !isElsewhere) location.assign(sameTabAddress(from))
    else
      void attempt(
        enter(provider().then((identityProvider) => identityProvider.signInByPopup(publicUrl))),
      )
  }
  return { open: windows > 0, start }
}

/** The result of signing in with Google in this tab: `?google=done`, or an error code. */
function useAnswer(): IdentityCode | 'done' | null {
  const [search] = useSearchParams()
  const code = search.get('google')
  return code === null || code === 'done' ? code : identityCode(code)
}

/** The attempts of a screen to which the sign-in with Google in this tab returns. */
export function useAttemptsAfterGoogle(): Attempts & { returning: boolean } {
  const answer = useAnswer()
  const [returning, setReturning] = useState(answer === 'done')
  const attempts = useAttempts(answer && answer !== 'done' ? new IdentityError(answer) : null)
  const { attempt } = attempts
  useEffect(() => {
    if (answer !== 'done') return
    void attempt(exchangeToken()).finally(() => setReturning(false))
  }, [answer, attempt])
  return { ...attempts, returning }
}

/**
 * The URL that starts the sign-in with Google in this tab.
 * @param from the path of this site to return to
 */
const sameTabAddress = (from: string) =>
  `/identity/redirect/google?from=${encodeURIComponent(from)}`

/**
 * Links that get around certain errors.
 * @param from the path of this site to return to afterwards
 */
export function waysOut({ publicUrl, identity }: Shop, from: string): WaysOut {
  return {
    // Firebase does not offer this to a shop on another domain
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
