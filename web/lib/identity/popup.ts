/** Signing in with Google in a window of its own. The timings are those of Firebase's popup operation. */

import { identityCode } from './messages.ts'
import { type IdentityCode, IdentityError } from './port.ts'
import { timeouts } from './timeouts.ts'

/** How a sign-in ended, as the popup's last page tells it; `error` is null when it went well. */
type PopupEvent = { eventId: string; error: IdentityCode | null }

/**
 * Reads a message of the popup's last page.
 * @returns null for messages that are not about signing in, `unusable` for those that are but say nothing
 */
export function readPopupEvent(data: unknown): PopupEvent | 'unusable' | null {
  const message = data as { type?: unknown; eventId?: unknown; error?: unknown } | null
  if (typeof message !== 'object' || message?.type !== 'ferrite:identity') return null
  const { eventId, error } = message
  if (typeof eventId !== 'string' || eventId === '') return 'unusable'
  if (error === null) return { eventId, error }
  return typeof error === 'string' ? { eventId, error: identityCode(error) } : 'unusable'
}

const remembered = 600_000

/**
 * Makes each event count once. Ids are remembered until nothing was handled for 10 minutes; then all are forgotten together.
 * @param now the time in ms
 * @returns whether this id is new; asking marks it as handled
 */
export function handledEvents(now: () => number): (id: string) => boolean {
  const ids = new Set<string>()
  let last = now()
  return (id) => {
    if (now() - last >= remembered) ids.clear()
    if (ids.has(id)) return false
    ids.add(id)
    last = now()
    return true
  }
}

const width = 500
const height = 600
const pollEvery = 2000
const actAfter = 2000

const middle = (available: number, size: number) => Math.max((available - size) / 2, 0)

/** Opens a window of 500×600 in the middle of the screen; null when the browser blocks it. Call it inside the click. */
function openPopup(url: string, name: string): Window | null {
  const features = {
    width,
    height,
    left: middle(screen.availWidth, width),
    top: middle(screen.availHeight, height),
    location: 'yes',
    resizable: 'yes',
    statusbar: 'yes',
    toolbar: 'no',
    scrollbars: 'yes',
  }
  const list = Object.entries(features).map(([feature, value]) => `${feature}=${value}`)
  const popup = window.open(url, name, list.join(','))
  try {
    popup?.focus()
  } catch {
    // some browsers do not let a page move the focus; the window is there all the same
  }
  return popup
}

/**
 * Looks at once and every 2000 ms whether the window was closed, and calls back 2000 ms after that was seen: what its
 * last page said may still be on its way. `signal` ends the watch.
 */
export function onceClosed(popup: Window, signal: AbortSignal, callback: () => void): void {
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    timer = popup.closed ? setTimeout(callback, actAfter) : setTimeout(look, pollEvery)
  }
  look()
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Session cookie and access token both need a place in the browser. */
function storageWorks(): boolean {
  const key = 'ferrite:probe'
  try {
    localStorage.setItem(key, '1')
    localStorage.removeItem(key)
    return navigator.cookieEnabled
  } catch {
    return false
  }
}

async function doorProblem(): Promise<IdentityCode | null> {
  const answer = await fetch('/identity/popup/check', {
    signal: AbortSignal.timeout(timeouts(5_000, 15_000)),
  }).catch(() => null)
  if (!answer) return 'auth/network-request-failed'
  if (answer.ok) return null
  const body: unknown = await answer.json().catch(() => null)
  return identityCode((body as { code?: unknown } | null)?.code)
}

/**
 * What keeps a sign-in by popup from ending well here and now, or null.
 * @param publicUrl the shop's own origin: at another one the provider would send people back elsewhere
 */
async function popupPrecheck(publicUrl: string): Promise<IdentityCode | null> {
  if (location.origin !== publicUrl) return 'auth/unauthorized-domain'
  if (!storageWorks()) return 'auth/web-storage-unsupported'
  return doorProblem()
}

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
  const onMessage = ({ origin, data }: MessageEvent<unknown>) => {
    const event = origin === location.origin ? readPopupEvent(data) : null
    if (event === 'unusable') settle('auth/invalid-auth-event')
    else if (event?.eventId === eventId && isNew(eventId)) settle(event.error)
  }
  addEventListener('message', onMessage, { signal })
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
