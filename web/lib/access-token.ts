const key = 'accessToken'
/** Stored for a moment when a user logs out: no token, and other tabs see it pass. */
const left = ''

/** What the shop's access token says, for display only: the server alone decides what it is worth. */
export type Claims = {
  name: string
  email: string
  /** seconds since 1970 */
  exp: number
  /** The sign-in at the provider that it came from, if it says so. */
  sid?: string | undefined
}

/** The claims inside an access or ID token, or null when it is not one. Not every provider's user has a name. */
export function readClaims(token: string): Claims | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    const {
      name = '',
      email,
      exp,
      sid,
    }: Partial<Claims> = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof email !== 'string' || typeof exp !== 'number') return null
    return { name, email, exp, sid }
  } catch {
    return null
  }
}

/** The stored token, or null; browsers that allow no storage keep no user logged in. */
export function storedToken(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps the token, or with null forgets it. */
export function storeToken(token: string | null): void {
  try {
    if (token) localStorage.setItem(key, token)
    else localStorage.removeItem(key)
  } catch {
    // nothing to do: the session then lasts as long as the page
  }
}

/** Forgets the token, and lets other tabs know that its user wanted so. */
export function dropToken(): void {
  try {
    localStorage.setItem(key, left)
  } catch {
    // then there are no other tabs to tell
  }
  storeToken(null)
}

/**
 * Calls back when another tab logged in or out, also when that was while this page lay aside for the Back button.
 * @param callback gets whether the user chose to log out
 */
export function onTokenElsewhere(callback: (byChoice: boolean) => void): () => void {
  const over = new AbortController()
  const { signal } = over
  const stored = ({ key: changed, newValue }: StorageEvent) => {
    if (changed === key || changed === null) callback(newValue === left)
  }
  addEventListener('storage', stored, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && callback(false), { signal })
  return () => over.abort()
}
