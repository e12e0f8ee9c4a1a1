import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { unauthorized } from './faults.ts'
import { type Params, text } from './form.ts'

type Keys = { secretKey: string; publishableKey: string }

/** True for the publishable key, false for the secret one; any other key is refused. */
export function isPublishable(c: Context, params: Params, keys: Keys): boolean {
  const key = bearer(c.req.header('authorization')) ?? text(params, 'key')
  if (key === undefined) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (same(key, keys.secretKey)) return false
  if (same(key, keys.publishableKey)) return true
  throw unauthorized(`Invalid API Key provided: ${masked(key)}`)
}

export const secretKeyRequired = () =>
  unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  )

function bearer(header: string | undefined): string | undefined {
  const [scheme, value] = header?.split(' ') ?? []
  if (value === undefined) return undefined
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() !== 'basic') return undefined
  return Buffer.from(value, 'base64').toString().split(':')[0]
}

const same = (a: string, b: string) =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

function masked(key: string): string {
  const prefix = /^(sk|pk|rk)_(test|live)_/.exec(key)?.[0] ?? ''
  return `${prefix}***${key.length > prefix.length + 8 ? key.slice(-4) : ''}`
}

/**
 * Lets the shop's own pages read the answer, and where `framed` the card frame, whose origin is
 * opaque. Any other origin gets no header, so its browser hides the answer.
 */
export function allowOrigin(c: Context, framed: boolean): void {
  const origin = c.req.header('origin')
  c.header('vary', 'Origin')
  if (origin === undefined) return
  const own = URL.canParse(origin) && new URL(origin).host === c.req.header('host')
  if (own || (framed && origin === 'null')) c.header('access-control-allow-origin', origin)
}
