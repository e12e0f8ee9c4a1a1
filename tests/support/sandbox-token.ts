import type { BrowserContext } from '@playwright/test'

/**
 * The tokens of the shops that a test opened: its browsers have them, as after opening the printed
 * link.
 */
const tokens = new Map<string, string>()

export function rememberToken(origin: string, token: string | undefined): void {
  if (token) tokens.set(origin, token)
}

/** The cookie that a browser with the token sends to a sandbox's URL; empty elsewhere. */
export function sandboxCookie(url: URL): string {
  const token = url.pathname.startsWith('/sandbox') && tokens.get(url.origin)
  return token ? `ferrite.sandbox=${token}` : ''
}

/** Gives the token to a browser, as opening the printed link of the sandbox does. */
export async function giveToken(
  context: BrowserContext,
  { origin }: { origin: string },
): Promise<void> {
  const [name = '', value = ''] = sandboxCookie(new URL('/sandbox', origin)).split('=')
  if (name) await context.addCookies([{ name, value, domain: '127.0.0.1', path: '/sandbox' }])
}
