/** Signs in with Google in a popup. The timings are those of Firebase's popup operation. */

import { identityCode } from './messages.ts'
import { type IdentityCode, IdentityError } from './port.ts'
import { timeouts } from './timeouts.ts'

/** The result of a sign-in, sent by the popup's last page; `error` is null on success. */
type PopupEvent = { eventId: string; error: IdentityCode | null }

/**
 * Reads a message of the popup's last page.
 * @returns null for messages that are not about signing in, `unusable` for those that are but have
 * no content
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
 * Makes each event count once. Ids are remembered until nothing was handled for 10 minutes; then
 * all are forgotten together.
 * @param now the time in ms
 * @returns whether this id is new; the call marks it as handled
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

/**
 * Opens a window of 500×600 in the middle of the screen; null if the browser blocks it. Call it
 * inside the click handler.
 */
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
    // some browsers do not let a page move the focus; the window is open anyway
  }
  return popup
}

/**
 * Checks now and every 2000 ms whether the window was closed, and calls back 2000 ms after noticing
 * it, because a message of its last page may still arrive. `signal` ends the watch.
 */
export function onceClosed(popup: Window, signal: AbortSignal, callback: () => void): void {
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    timer = popup.closed ? setTimeout(callback, actAfter) : setTimeout(look, pollEvery)
  }
  look()
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Whether storage works: both the session cookie and the access token need it. */
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
 * Returns the error that would stop a popup sign-in here and now, or null.
 * @param publicUrl the shop's own origin: from another origin the provider would return users to
 * the wrong place
 */
async function popupPrecheck(publicUrl: string): Promise<IdentityCode | null> {
  if (location.origin !== publicUrl) return 'auth/unauthorized-domain'
  if (!storageWorks()) return 'auth/web-storage-unsupported'
  return doorProblem()
}

type Settle = (error: IdentityCode | null) => void

/** Ends the running operation. */
let current: Settle | undefined
const isNew = handledEvents(() => Date.now())

/** 128 random bits, valid in a URL and as a window's name. */
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
 * Opens the popup synchronously, so call it inside the click handler; resolves when the session
 * exists. A newer call ends an older one.
 * @param publicUrl the shop's own origin
 * @throws IdentityError, as a rejection, if it does not end in a session
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
