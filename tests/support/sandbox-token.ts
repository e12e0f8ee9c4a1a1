/** The tokens of the shops that a test opened: its browsers have them, as after a visit of the printed address. */
const tokens = new Map<string, string>()

export function rememberToken(origin: string, token: string | undefined): void {
  if (token) tokens.set(origin, token)
}

/** The cookie that a browser with the token sends to a sandbox's address; empty elsewhere. */
export function sandboxCookie(url: URL): string {
  const token = url.pathname.startsWith('/sandbox') && tokens.get(url.origin)
  return token ? `ferrite.sandbox=${token}` : ''
}
