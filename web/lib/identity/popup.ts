/** Signing in with Google in a window of its own. The timings are those of Firebase's popup operation. */
import { handledEvents } from './handled-events.ts'
import { readPopupEvent } from './popup-event.ts'
import { popupPrecheck } from './popup-precheck.ts'
import { onceClosed, openPopup } from './popup-window.ts'
import type { IdentityCode } from './port.ts'
import { IdentityError } from './port.ts'

type Settle = (error: IdentityCode | null) => void

/** Ends the operation under way. */
let current: Settle | undefined
const isNew = handledEvents(() => Date.now())

/** 128 random bits, fit for an address and for a window's name. */
function makeEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function listen(eventId: string, signal: AbortSignal, settle: Settle): void {
  const hear = ({ origin, data }: MessageEvent<unknown>) => {
    const event = origin === location.origin ? readPopupEvent(data) : null
    if (event === 'unusable') settle('auth/invalid-auth-event')
    else if (event?.eventId === eventId && isNew(eventId)) settle(event.error)
  }
  addEventListener('message', hear, { signal })
}

/**
 * Opens the popup, at once, so call it inside the click; done when the session is there. A newer call ends an older one.
 * @param publicUrl the shop's own origin
 * @throws IdentityError, as a rejection, when it did not end in a session
 */
export function signInByPopup(publicUrl: string): Promise<void> {
  current?.('auth/cancelled-popup-request')
  const eventId = makeEventId()
  const popup = openPopup(`/identity/popup/google?event=${eventId}`, eventId)
  if (!popup) return Promise.reject(new IdentityError('auth/popup-blocked'))
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    const settle: Settle = (error) => {
      if (over.signal.aborted) return
      over.abort()
      if (current === settle) current = undefined
      popup.close()
      if (error) reject(new IdentityError(error))
      else resolve()
    }
    current = settle
    listen(eventId, over.signal, settle)
    onceClosed(popup, over.signal, () => settle('auth/popup-closed-by-user'))
    void popupPrecheck(publicUrl).then((obstacle) => obstacle && settle(obstacle))
  })
}
