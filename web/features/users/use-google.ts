import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import { exchangeToken } from '#web/lib/exchange.ts'
import { identityCode } from '#web/lib/identity/messages.ts'
import type { IdentityCode } from '#web/lib/identity/port.ts'
import { IdentityError } from '#web/lib/identity/port.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { type Attempts, useAttempts } from './use-attempts.ts'

export type Google = {
  /** Is its window open? Then a click opens a newer one. */
  open: boolean
  start: () => void
}

/**
 * Google by popup. `start` belongs into the click itself, else the browser blocks the window.
 * @param from where to go back to afterwards
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
  // with its script there the window opens inside the click
  useEffect(() => {
    if (isElsewhere) void provider().catch(() => {})
  }, [isElsewhere])
  function start() {
    // the press came long before the scripts: the browser would open no window for it any more, and this tab will do
    const isLate = navigator.userActivation?.isActive === false
    if (isLate && !isElsewhere) location.assign(sameTabAddress(from))
    else void attempt(enter(provider().then((known) => known.signInByPopup(publicUrl))))
  }
  return { open: windows > 0, start }
}

/** The result of signing in with Google in this tab: `?google=done`, or a code. */
function useAnswer(): IdentityCode | 'done' | null {
  const [search] = useSearchParams()
  const code = search.get('google')
  return code === null || code === 'done' ? code : identityCode(code)
}

/** The attempts of a screen to which Google's way through this tab leads back. */
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

/** The address of Google's way through this tab. @param from where to go back to, a path of this site */
export const sameTabAddress = (from: string) =>
  `/identity/redirect/google?from=${encodeURIComponent(from)}`
