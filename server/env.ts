import { z } from 'zod'
import { StartError } from './start-error.ts'

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])
/** Is this address only reachable from the machine itself? @param host a name or an IP address, as in HOST */
const isLoopbackHost = (host: string) => loopback.has(host)
export const isLoopback = (url: string) => isLoopbackHost(new URL(url).hostname)
/** Can nobody but this machine reach the shop? */
export const isLocalOnly = (publicUrl: string, host: string) =>
  isLoopback(publicUrl) && isLoopbackHost(host)

const onOff = z.enum(['on', 'off'])
/** An origin as browsers write it: lower case, without the usual port, without a slash at the end. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^[^:]+:\/\/[^/?#@]+\/*$/.test(url), 'must be an address without a path')
  .transform((url) => new URL(url).origin)
/** The name of an OpenID Connect provider. In the clear only on the machine itself: its keys decide who people are. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'must begin with https://')
const absent = z.literal('').transform(() => undefined)
/** A setting that is set to nothing counts as not set, as people expect of a line `NAME=` in a file. */
const optional = <T extends z.ZodType>(schema: T) => absent.or(schema).optional()

/** Every setting of the shop. `docs/operations.md` explains each; a test keeps the two equal. */
const Settings = z.object({
  PORT: optional(z.coerce.number().int().min(0).max(65535)).transform((port) => port ?? 3000),
  HOST: optional(z.string()).transform((host) => host ?? '127.0.0.1'),
  PUBLIC_URL: optional(address),
  DATA_DIR: optional(z.string()).transform((folder) => folder ?? './data'),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  APP_SECRET: optional(z.string().min(32, 'must be at least 32 characters long')),
  ADMIN_EMAIL: optional(z.email()),
  ADMIN_PASSWORD: optional(z.string().min(6).max(128)),
  HOLD_MINUTES: optional(z.coerce.number().positive().max(1440)).transform(
    (minutes) => minutes ?? 30,
  ),
  SWEEP_SECONDS: optional(z.coerce.number().min(0.1).max(3600)).transform(
    (seconds) => seconds ?? 60,
  ),
  RATE_LIMIT: optional(onOff).transform((value) => value !== 'off'),
  TRUST_PROXY: optional(onOff).transform((value) => value === 'on'),
  DEMO: optional(onOff),
  METRICS_TOKEN: optional(z.string().min(16, 'must be at least 16 characters long')),
  LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])).transform(
    (level) => level ?? 'info',
  ),
  ALLOW_SANDBOX: optional(z.enum(['0', '1'])).transform((value) => value === '1'),
  SANDBOX_CONTROLS: optional(onOff).transform((value) => value === 'on'),
  STRIPE_SECRET_KEY: optional(
    z.string().regex(/^(sk|rk)_(test|live)_/, 'must begin with sk_test_ or sk_live_'),
  ),
  STRIPE_PUBLISHABLE_KEY: optional(
    z.string().regex(/^pk_(test|live)_/, 'must begin with pk_test_ or pk_live_'),
  ),
  STRIPE_WEBHOOK_SECRET: optional(z.string().regex(/^whsec_/, 'must begin with whsec_')),
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: optional(z.string()),
  GOOGLE_ISSUER: optional(issuer).transform((url) => url ?? 'https://accounts.google.com'),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
  MAIL_FROM: optional(z.string().max(200)).transform(
    (from) => from ?? 'Ferrite <shop@ferrite.localhost>',
  ),
})
export type Settings = z.infer<typeof Settings>
export const settingNames = Object.keys(Settings.shape)

const together = [
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
] as const

function checkTogether(settings: Settings): void {
  for (const group of together) {
    const missing = group.filter((name) => settings[name] === undefined)
    if (missing.length > 0 && missing.length < group.length) {
      throw new StartError(`Set ${missing.join(' and ')} too: ${group.join(', ')} go together.`)
    }
  }
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = settings
  if (secret && publishable && secret.includes('_live_') !== publishable.includes('_live_')) {
    throw new StartError(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be of one mode, both test or both live.',
    )
  }
}

/**
 * Reads the settings, the only place that does.
 * @throws StartError naming the setting and its limit
 */
export function readSettings(
  environment: Record<string, string | undefined> = process.env,
): Settings {
  const parsed = Settings.safeParse(environment)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] as z.core.$ZodIssue
    throw new StartError(`The setting ${path.join('.')} is wrong: ${message}. See .env.example.`)
  }
  checkTogether(parsed.data)
  return parsed.data
}
