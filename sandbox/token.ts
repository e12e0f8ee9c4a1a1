/**
 * The random token printed at the start. Without it, a browser sees nothing that opens accounts.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { html } from 'hono/html'
import { sandboxPage } from '#sandbox/sandbox-page.ts'

const cookieName = 'ferrite.sandbox'
/** Of the cookie, in seconds; the token lasts as long as the shop's secret. */
const maxAge = 365 * 24 * 3600

export type TokenAnswer = { status: 303 | 403; headers: Record<string, string>; body: string }

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const cookieIn = (cookies: string | undefined) =>
  new RegExp(`(?:^|;\\s*)${cookieName.replace('.', '\\.')}=([^;]*)`).exec(cookies ?? '')?.[1] ?? ''

/**
 * The response that a browser gets instead of a sandbox's page: a form that asks for the token or,
 * with the right token in the query, a cookie with it. Null for a browser that already has it.
 * @param url path and query, unchanged @param style URL of the sandbox's style sheet
 */
export function tokenAnswer(
  token: string,
  { url, cookies, style }: { url: string; cookies: string | undefined; style: string },
): TokenAnswer | null {
  const { pathname, searchParams } = new URL(url, 'http://sandbox')
  const given = searchParams.get('token')
  searchParams.delete('token')
  if (given === null && isSame(cookieIn(cookies), token)) return null
  if (given !== null && isSame(given.trim(), token)) {
    const cookie = `${cookieName}=${token}; Path=/sandbox; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`
    const query = searchParams.size > 0 ? `?${searchParams}` : ''
    // a single slash, because two would redirect to another site
    const location = pathname.replace(/^\/+/, '/') + query
    return { status: 303, headers: { ...headers, location, 'set-cookie': cookie }, body: '' }
  }
  const page = sandboxPage('Sandbox token', style, form(pathname, searchParams, given !== null))
  return { status: 403, headers, body: String(page) }
}

const form = (path: string, query: URLSearchParams, isWrong: boolean) => html`<main>
    <p class="notice"><strong>Ferrite sandbox.</strong> It is for who started this shop alone.</p>
    <h1>Sandbox token</h1>
    <p class="lead">The start of the shop printed addresses that end with <code>token=…</code> Open one of them, or give its token here. This browser then keeps it.</p>
    <form method="get" action="${path}" class="token">
      ${isWrong ? html`<p id="problem" role="alert">This is not the token of this shop.</p>` : ''}
      ${[...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <label for="token">Token</label>
      <input id="token" name="token" required autocomplete="off" autocapitalize="none" spellcheck="false" ${isWrong ? html`aria-describedby="problem"` : ''}>
      <button class="go">Continue</button>
    </form>
  </main>`
