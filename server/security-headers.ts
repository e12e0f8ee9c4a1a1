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
  if (https) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
}

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** The inline scripts of a page as CSP sources: only these run, and only as they are. */
function scriptHashes(html: string): string[] {
  return [...html.matchAll(inlineScript)].map(
    ([, body = '']) => `'sha256-${createHash('sha256').update(body).digest('base64')}'`,
  )
}

export type PagePolicy = { https: boolean; stripe: boolean; development: boolean }

/** The content policy of one rendered page. Stripe's hosts only when cards go to Stripe itself. */
export function pagePolicy(html: string, { https, stripe, development }: PagePolicy): string {
  const scripts = stripe ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []
  const hashes = development ? ["'unsafe-inline'"] : scriptHashes(html)
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
    ...(https && { 'upgrade-insecure-requests': '' }),
  })
}
