import { createHash } from 'node:crypto'
import type { FirebaseFacts } from '#contracts/shop.ts'

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

/** The content policy of a worker's script. A worker has its own, which may run WebAssembly. */
export const workerPolicy = serialise({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self'",
})

/**
 * Sets the headers of every response. Pages and the sandbox's frames have already set their own
 * content policy.
 */
export function setSecurityHeaders(headers: Headers, https: boolean): void {
  for (const [name, value] of Object.entries(everywhere)) {
    if (!headers.has(name)) headers.set(name, value)
  }
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', closed)
  if (https) headers.set('strict-transport-security', 'max-age=31536000')
}

const inlineScript = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g
const nonceAttribute = (nonce: string) => ` nonce="${nonce}"`

/**
 * A page's own inline code: scripts with the nonce of its rendering, and one script and one style
 * shared by all pages.
 */
export type OwnTexts = { nonce: string; script: string; style: string }

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The hashes of our inline scripts as CSP sources. Injected scripts have no nonce and get no hash.
 */
function scriptHashes(html: string, { nonce, script }: OwnTexts): string[] {
  return [...html.matchAll(inlineScript)]
    .filter(
      ([, attributes = '', body]) => attributes.includes(nonceAttribute(nonce)) || body === script,
    )
    .map(([, , body = '']) => hashOf(body))
}

/** Removes the nonce, because a cached page must not reveal one. */
export const withoutNonce = (html: string, { nonce }: OwnTexts): string =>
  html.replaceAll(nonceAttribute(nonce), '')

export type PagePolicy = {
  https: boolean
  stripe: boolean
  firebase: Pick<FirebaseFacts, 'authDomain' | 'emulator'> | null
  development: boolean
}

/**
 * Trusted Types: only the policy of `web/lib/loading/boot-script.ts` turns text into scripts or
 * HTML.
 */
const trustedTypes = { 'require-trusted-types-for': "'script'", 'trusted-types': 'default' }

/** A page's other headers: who may request payments, and a stricter report-only policy. */
export function pageHeaders({ stripe, firebase, development }: PagePolicy): Record<string, string> {
  const payment = stripe ? 'payment=(self "https://js.stripe.com")' : 'payment=()'
  return {
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    // admins scan bar codes
    'permissions-policy': `camera=(self), microphone=(), geolocation=(), ${payment}`,
    // the scripts of Stripe and Google cannot be tested here, so violations are reported, not
    // blocked
    ...((stripe || firebase) &&
      !development && { 'content-security-policy-report-only': serialise(trustedTypes) }),
  }
}

type Sources = { script: string[]; frame: string[]; connect: string[]; img: string[] }

const stripeSources: Sources = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  img: ['https://*.stripe.com'],
}

/**
 * The hosts that Firebase's SDK calls. The SDK loads the script of its hidden frame when a visitor
 * presses the Google button.
 */
const firebaseSources = ({
  authDomain,
  emulator,
}: NonNullable<PagePolicy['firebase']>): Sources => ({
  script: ['https://apis.google.com'],
  frame: [emulator ?? `https://${authDomain}`],
  connect: emulator
    ? [emulator]
    : ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'],
  img: [],
})

/**
 * The content policy of a rendered page. It includes the hosts of Stripe and Firebase only when the
 * shop uses them.
 */
export function pagePolicy(
  html: string,
  own: OwnTexts,
  { https, stripe, firebase, development }: PagePolicy,
): string {
  const others = [
    ...(stripe ? [stripeSources] : []),
    ...(firebase ? [firebaseSources(firebase)] : []),
  ]
  const of = (kind: keyof Sources) => others.flatMap((sources) => sources[kind])
  // the sandbox's card fields are our own frames
  const ownFrames = stripe ? [] : ["'self'"]
  const hashes = development ? ["'unsafe-inline'"] : scriptHashes(html, own)
  return serialise({
    'default-src': "'none'",
    'script-src': ["'self'", ...hashes, ...of('script')].join(' '),
    'style-src': `'self' ${development ? "'unsafe-inline'" : hashOf(own.style)}`,
    'img-src': ["'self'", 'data:', ...of('img')].join(' '),
    'font-src': "'self'",
    'connect-src': ["'self'", ...of('connect')].join(' '),
    'frame-src': [...ownFrames, ...of('frame')].join(' '),
    'form-action': "'self'",
    'base-uri': "'none'",
    'object-src': "'none'",
    'manifest-src': "'self'",
    'frame-ancestors': "'none'",
    ...(others.length === 0 && !development && trustedTypes),
    ...(https && { 'upgrade-insecure-requests': '' }),
  })
}
