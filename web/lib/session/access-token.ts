const key = 'accessToken'
/** Stored briefly at logout: it is no token, and other tabs notice it. */
const left = ''

/** The claims of the shop's access token, for display only: only the server verifies them. */
export type Claims = {
  name: string
  email: string
  /** Seconds since 1970. */
  exp: number
  /** The provider's session behind the token, if known. */
  sid?: string | undefined
}

/**
 * Reads the claims in an access or ID token, or returns null for other text. Not every provider's
 * user has a name.
 */
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

/** The stored token, or null. Browsers without storage keep no user logged in. */
export function storedToken(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores the token; null removes it. */
export function storeToken(token: string | null): void {
  try {
    if (token) localStorage.setItem(key, token)
    else localStorage.removeItem(key)
  } catch {
    // no storage: the session lasts as long as the page
  }
}

/** Removes the token, and signals to other tabs that the user logged out. */
export function dropToken(): void {
  try {
    localStorage.setItem(key, left)
  } catch {
    // without storage there are no other tabs to notify
  }
  storeToken(null)
}

/**
 * Calls back when another tab logs in or out, even if that happened while this page was in the
 * back/forward cache.
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
