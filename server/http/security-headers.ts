import { createHash } from 'node:crypto'

type Directives = Record<string, string>

const everywhere: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
}

const serialise = (directives: Directives) =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

const closed = serialise({ 'default-src': "'none'", 'frame-ancestors': "'none'" })

/** For every answer; what has its own policy (pages, the stand-in's frames) sets it before. */
export function setSecurityHeaders(headers: Headers, https: boolean): void {
  for (const [name, value] of Object.entries(everywhere)) {
    if (!headers.has(name)) headers.set(name, value)
  }
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', closed)
  if (https) headers.set('strict-transport-security', 'max-age=31536000')
}

const inlineScript = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g
const markOf = (mark: string) => ` nonce="${mark}"`

/** Which scripts of a page are ours: those with the mark of its rendering, and one that is the same on every page. */
export type OwnScripts = { mark: string; known: string }

/** Our inline scripts as CSP sources: only these run, and only as they are. Others may have got into the page. */
function scriptHashes(html: string, { mark, known }: OwnScripts): string[] {
  return [...html.matchAll(inlineScript)]
    .filter(([, attributes = '', body]) => attributes.includes(markOf(mark)) || body === known)
    .map(([, , body = '']) => `'sha256-${createHash('sha256').update(body).digest('base64')}'`)
}

/** A page as it is sent: the mark has served, and a page that is kept for everybody must not tell it. */
export const withoutNonce = (html: string, { mark }: OwnScripts): string =>
  html.replaceAll(markOf(mark), '')

export type PagePolicy = { https: boolean; stripe: boolean; development: boolean }

/** Where texts become scripts or HTML in the browser, only what `web/lib/boot-script.ts` lets through. */
const trustedTypes = { 'require-trusted-types-for': "'script'", 'trusted-types': 'default' }

/** What else a page says: who may ask for payments, and what of a stricter policy would be broken. */
export function pageHeaders({ stripe, development }: PagePolicy): Record<string, string> {
  const payment = stripe ? 'payment=(self "https://js.stripe.com")' : 'payment=()'
  return {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': `${everywhere['permissions-policy']}, ${payment}`,
    // what Stripe's own script does is not ours to try: it is reported, and not forbidden
    ...(stripe &&
      !development && { 'content-security-policy-report-only': serialise(trustedTypes) }),
  }
}

/** The content policy of one rendered page. Stripe's hosts only when cards go to Stripe itself. */
export function pagePolicy(
  html: string,
  own: OwnScripts,
  { https, stripe, development }: PagePolicy,
): string {
  const scripts = stripe ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []
  const hashes = development ? ["'unsafe-inline'"] : scriptHashes(html, own)
  return serialise({
    'default-src': "'none'",
    'script-src': ["'self'", ...hashes, ...scripts].join(' '),
    'style-src': development ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': stripe ? "'self' data: https://*.stripe.com" : "'self' data:",
    'font-src': "'self'",
    'connect-src': stripe ? "'self' https://api.stripe.com" : "'self'",
    'frame-src': stripe ? [...scripts, 'https://hooks.stripe.com'].join(' ') : "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'object-src': "'none'",
    'manifest-src': "'self'",
    'frame-ancestors': "'none'",
    ...(!stripe && !development && trustedTypes),
    ...(https && { 'upgrade-insecure-requests': '' }),
  })
}
