import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { editDistance } from '#contracts/edit-distance.ts'
import { currencyCodes } from '#contracts/money.ts'
import { StartError } from './errors.ts'

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])
/**
 * Whether only this machine can reach the address. @param host a name or an IP address, as in HOST
 */
const isLoopbackHost = (host: string) => loopback.has(host)
export const isLoopback = (url: string) => isLoopbackHost(new URL(url).hostname)
/** Whether only this machine can reach the shop. */
export const isLocalOnly = (
  publicUrl: string,
  { HOST, TRUST_PROXY }: Pick<Settings, 'HOST' | 'TRUST_PROXY'>,
) => isLoopback(publicUrl) && isLoopbackHost(HOST) && !TRUST_PROXY

/** The origin at which this machine reaches the process. */
export function localOrigin(host: string, port: number): string {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`
}

/** An origin as browsers write it: lower case, without a default port or trailing slash. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^[^:]+:\/\/[^/?#@]+\/*$/.test(url))
  .transform((url) => new URL(url).origin)
/**
 * The URL of an OpenID Connect provider. Plain http only on this machine, because the provider's
 * keys decide who users are.
 */
const issuer = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .refine((url) => url.startsWith('https:') || isLoopback(url))
/**
 * A mail's sender: an address, or a name with the address in angle brackets. A name with a comma is
 * quoted.
 */
const sender = z
  .string()
  .trim()
  .max(200)
  .refine((from) => {
    const [, named, bare] =
      /^(?:"[^"\p{Cc}]*"|[^<>",;:@\p{Cc}]*)<([^<>\s]+)>$|^([^<>\s]+)$/u.exec(
        from.replace(/\s+</, '<'),
      ) ?? []
    return z.email().safeParse(named ?? bare).success
  })
/** A sender without a mailbox, used while no mail leaves the machine. */
const unansweredSender = 'shop@ferrite.localhost'
/** An empty setting counts as not set, as in a line `NAME=` of a file. */
const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value)
/** A setting without a default. @param allowed completes the sentence `NAME must be` */
const optional = <T extends z.ZodType>(allowed: string, schema: T) =>
  z.preprocess(emptyIsUnset, schema.optional()).describe(allowed)
/** A setting with a default. */
const setting = <T extends z.ZodType>(allowed: string, schema: T, fallback: z.output<T>) =>
  z
    .preprocess(
      emptyIsUnset,
      schema.optional().transform((value) => value ?? fallback),
    )
    .describe(allowed)
const number = () => z.coerce.number()
const onOff = z.enum(['on', 'off'])
const isOn = onOff.transform((value) => value === 'on')
/** Where pictures may be stored. */
export const pictureStores = ['disk', 's3', 'imgbb'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
const webAddress = 'an address without a path that begins with http:// or https://'

/**
 * Every setting with its allowed values. `.env.example` explains each; a test keeps the two in
 * sync.
 */
const Settings = z.object({
  PORT: setting('a whole number from 0 to 65535', number().int().min(0).max(65535), 3000),
  HOST: setting('a name or an IP address', z.string(), '127.0.0.1'),
  WORKERS: setting('a whole number from 1 to 32', number().int().min(1).max(32), 1),
  PUBLIC_URL: optional(`${webAddress}, as https://shop.example`, address),
  DATA_DIR: setting('a folder', z.string(), './data'),
  DATABASE_URL: optional(
    'an address that begins with postgres:// or postgresql://',
    z.url({ protocol: /^postgres(ql)?$/ }),
  ),
  DATABASE_READ_URL: optional(
    'an address that begins with postgres:// or postgresql://',
    z.url({ protocol: /^postgres(ql)?$/ }),
  ),
  APP_SECRET: optional('at least 32 characters long', z.string().min(32)),
  ADMIN_EMAIL: optional('an e-mail address', z.email()),
  ADMIN_PASSWORD: optional('6 to 128 characters long', z.string().min(6).max(128)),
  CURRENCY: setting(`one of ${currencyCodes.join(', ')}`, z.enum(currencyCodes), 'USD'),
  HOLD_MINUTES: setting('a number above 0, up to 1440', number().positive().max(1440), 30),
  HOLD_MAX_MINUTES: setting('a number above 0, up to 10080', number().positive().max(10_080), 60),
  OPEN_HOLDS: setting('a whole number from 1 to 10000', number().int().min(1).max(10_000), 10),
  OPEN_HOLDS_UNCONFIRMED: setting(
    'a whole number from 1 to 10000',
    number().int().min(1).max(10_000),
    1,
  ),
  OFFER_HOURS: setting('a number above 0, up to 168', number().positive().max(168), 12),
  EXPIRE_DAYS: setting('a number above 0, up to 365', number().positive().max(365), 7),
  JOB_SECONDS: setting('a number from 0.1 to 3600', number().min(0.1).max(3600), 60),
  PROVIDER_SECONDS: setting('a number from 0.1 to 60', number().min(0.1).max(60), 10),
  STOP_SECONDS: setting('a number from 0.1 to 600', number().min(0.1).max(600), 8),
  RATE_LIMIT: setting('on or off', isOn, true),
  TRUST_PROXY: setting('on or off', isOn, false),
  DEMO: optional('on or off', onOff),
  METRICS_TOKEN: optional('at least 16 characters long', z.string().min(16)),
  LOG_LEVEL: setting(`one of ${logLevels.join(', ')}`, z.enum(logLevels), 'info'),
  ALLOW_SANDBOX: setting(
    'on or off',
    z.enum(['on', 'off', '1', '0']).transform((value) => value === 'on' || value === '1'),
    false,
  ),
  SANDBOX_CONTROLS: setting('on or off', isOn, false),
  STRIPE_SECRET_KEY: optional(
    'a key that begins with sk_test_, sk_live_, rk_test_ or rk_live_',
    z.string().regex(/^(sk|rk)_(test|live)_/),
  ),
  STRIPE_PUBLISHABLE_KEY: optional(
    'a key that begins with pk_test_ or pk_live_',
    z.string().regex(/^pk_(test|live)_/),
  ),
  STRIPE_WEBHOOK_SECRET: optional(
    'a secret that begins with whsec_, or several, separated by commas',
    z
      .string()
      .regex(/^whsec_[^\s,]+(\s*,\s*whsec_[^\s,]+)*$/)
      .transform((secrets) => secrets.split(/\s*,\s*/)),
  ),
  GOOGLE_CLIENT_ID: optional('a text', z.string()),
  GOOGLE_CLIENT_SECRET: optional('a text', z.string()),
  GOOGLE_ISSUER: setting(
    'an address that begins with https://, or with http:// on this machine',
    issuer,
    'https://accounts.google.com',
  ),
  FIREBASE_PROJECT_ID: optional(
    'the id of a Firebase project: 4 to 30 lower-case letters, digits and hyphens',
    z.string().regex(/^[a-z][a-z0-9-]{3,29}$/),
  ),
  FIREBASE_API_KEY: optional('a key without a colon', z.string().regex(/^[^:\s]+$/)),
  FIREBASE_AUTH_DOMAIN: optional(
    'a host, as your-project.firebaseapp.com',
    z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/),
  ),
  FIREBASE_AUTH_EMULATOR_HOST: optional(
    'a host of this machine with its port, as 127.0.0.1:9099',
    z.string().regex(/^(127\.0\.0\.1|localhost|\[::1\]):\d+$/),
  ),
  BACKUP_HOURS: setting('a number from 0 to 8760', number().min(0).max(8760), 48),
  IMAGES: setting(`one of ${pictureStores.join(', ')}`, z.enum(pictureStores), 'disk'),
  IMGBB_API_KEY: optional('a text', z.string()),
  IMGBB_URL: setting(
    'an address that begins with https://, or with http:// on this machine',
    issuer,
    'https://api.imgbb.com/1/upload',
  ),
  S3_ENDPOINT: optional(`${webAddress}, as https://s3.eu-central-1.amazonaws.com`, address),
  S3_REGION: setting('a text', z.string(), 'us-east-1'),
  S3_BUCKET: optional(
    '3 to 63 lower-case letters, digits, dots and hyphens',
    z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  ),
  S3_ACCESS_KEY_ID: optional('a text', z.string()),
  S3_SECRET_ACCESS_KEY: optional('a text', z.string()),
  SMTP_URL: optional(
    'an address that begins with smtp:// or smtps://',
    z.url({ protocol: /^smtps?$/ }),
  ),
  MAIL_FROM: setting(
    'an address, as shop@shop.example or Your Shop <shop@shop.example>',
    sender,
    unansweredSender,
  ),
  OWNER_MAIL: optional('one e-mail address', z.email().toLowerCase()),
})
export type Settings = z.infer<typeof Settings>
type Name = keyof Settings
export const settingNames = Object.keys(Settings.shape) as Name[]

type Environment = Record<string, string | undefined>

const together: Name[][] = [
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['FIREBASE_PROJECT_ID', 'FIREBASE_API_KEY'],
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
]

/**
 * Whether a value must not be shown. All Stripe settings count, because a secret key may be in the
 * wrong line.
 */
const isSecret = (name: string, value: string) =>
  /SECRET|PASSWORD|TOKEN|STRIPE_|_KEY/.test(name) ||
  (/_(URL|ENDPOINT)$/.test(name) && value.includes('@'))

function wrongValues(environment: Environment): string[] {
  const names = new Set(Settings.safeParse(environment).error?.issues.map(({ path }) => path[0]))
  return settingNames
    .filter((name) => names.has(name))
    .map((name) => {
      const value = environment[name] ?? ''
      const valueNote = isSecret(name, value)
        ? '; the value given is not shown.'
        : `, not “${value}”.`
      return `${name} must be ${Settings.shape[name].description}${valueNote}`
    })
}

/** A sentence about the settings that a picture store lacks; null when it has them all. */
export function missingFor(
  store: string | undefined,
  settings: { S3_BUCKET?: string | undefined; IMGBB_API_KEY?: string | undefined },
): string | null {
  if (store === 's3' && !settings.S3_BUCKET)
    return 'S3_BUCKET and the other S3_ settings must be set too, for pictures in s3.'
  if (store === 'imgbb' && !settings.IMGBB_API_KEY)
    return 'IMGBB_API_KEY must be set too, for pictures at imgbb.'
  return null
}

function wrongTogether(environment: Environment): string[] {
  // Firebase itself stores the owner's password
  const groups: Name[][] = environment.FIREBASE_PROJECT_ID
    ? together
    : [...together, ['ADMIN_EMAIL', 'ADMIN_PASSWORD']]
  const missing = groups.flatMap((group) => {
    const unset = group.filter((name) => !environment[name])
    const some = unset.length > 0 && unset.length < group.length
    return some ? [`${unset.join(' and ')} must be set too: ${group.join(', ')} go together.`] : []
  })
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = environment
  const mixed = secret && publishable && isLiveKey(secret) !== isLiveKey(publishable)
  const sentence =
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be of one mode, both test or both live.'
  const { SMTP_URL, MAIL_FROM } = environment
  const sender =
    'MAIL_FROM must be set too, to the address that sends: with SMTP_URL set, real mail leaves the shop.'
  const isUnanswered = SMTP_URL && (!MAIL_FROM || MAIL_FROM.includes(unansweredSender))
  const store = missingFor(environment.IMAGES, environment)
  const isOfNone = environment.DATABASE_READ_URL && !environment.DATABASE_URL
  const replica =
    'DATABASE_URL must be set too: the database that comes with the shop has no replica for DATABASE_READ_URL.'
  return [
    ...missing,
    ...(mixed ? [sentence] : []),
    ...(isUnanswered ? [sender] : []),
    ...(store ? [store] : []),
    ...(isOfNone ? [replica] : []),
  ]
}

/** Whether this Stripe key moves real money. */
export const isLiveKey = (key: string): boolean => key.includes('_live_')

/**
 * Reads the settings.
 * @throws StartError with a sentence for each invalid setting: its name, the given value, and what
 * is allowed
 */
export function readSettings(environment: Environment): Settings {
  const problems = [...wrongValues(environment), ...wrongTogether(environment)]
  if (problems.length === 0) return Settings.parse(environment)
  throw new StartError([...problems, '.env.example explains each setting.'].join('\n'))
}

/**
 * @throws StartError when the Auth emulator, whose ID tokens any client can forge, would be used
 * with other people or real cards
 */
function checkEmulator(settings: Settings, publicUrl: string): void {
  const { FIREBASE_AUTH_EMULATOR_HOST, STRIPE_SECRET_KEY: key, ALLOW_SANDBOX } = settings
  if (!FIREBASE_AUTH_EMULATOR_HOST) return
  if (!settings.FIREBASE_PROJECT_ID) {
    throw new StartError(
      'FIREBASE_PROJECT_ID and FIREBASE_API_KEY must be set too, with FIREBASE_AUTH_EMULATOR_HOST.',
    )
  }
  const isSafe = !(key && isLiveKey(key)) && (isLocalOnly(publicUrl, settings) || ALLOW_SANDBOX)
  if (isSafe) return
  throw new StartError(
    'FIREBASE_AUTH_EMULATOR_HOST lets any visitor sign in as any user: it is for a shop that only this machine reaches, or ALLOW_SANDBOX=on, and never with live keys of Stripe.',
  )
}

/**
 * @throws StartError when others can reach sandbox payments without ALLOW_SANDBOX, or the sandbox's
 * controls
 */
function checkSandbox(settings: Settings, publicUrl: string): void {
  if (isLocalOnly(publicUrl, settings)) return
  if (settings.SANDBOX_CONTROLS) {
    throw new StartError(
      'SANDBOX_CONTROLS=on is for a shop that only this machine reaches, but PUBLIC_URL, HOST or TRUST_PROXY let others in: remove one of them.',
    )
  }
  if (settings.STRIPE_SECRET_KEY || settings.ALLOW_SANDBOX) return
  throw new StartError(
    'PUBLIC_URL, HOST or TRUST_PROXY let others reach the shop but no STRIPE_SECRET_KEY is set, so payments would be simulated: set the STRIPE_ keys, or ALLOW_SANDBOX=on for a demonstration.',
  )
}

/**
 * Refuses settings that would let others use substitutes for real services. Needs no database.
 * @param publicUrl the origin at which customers reach the shop
 * @throws StartError with a sentence
 */
export function assertOpenable(settings: Settings, publicUrl: string): void {
  checkSandbox(settings, publicUrl)
  checkEmulator(settings, publicUrl)
}

/** Whether the name belongs to Node, npm or other programs around the shop. */
const isForeign = (name: string) => /^(NODE_|UV_|SSL_CERT_|MALLOC_|LC_|TZ$|LANG$)/.test(name)

/** A sentence for each unknown name in a settings file, with the most similar setting. */
export function unknownSettings(
  text: string,
  settings: readonly string[],
  file = '.env',
): string[] {
  const names = Object.keys(parseEnv(text)).filter(
    (name) => !settings.includes(name) && !isForeign(name),
  )
  return names.map((name) => {
    const byDistance = settings
      .map((each) => ({ each, far: editDistance(name.toUpperCase(), each) }))
      .toSorted((a, b) => a.far - b.far)
    const [nearest] = byDistance.filter(({ far }) => far <= 1 + name.length / 4)
    const hint = nearest ? `: did you mean ${nearest.each}?` : ' (.env.example lists all).'
    return `${name} in ${file} is not a setting of the shop${hint}`
  })
}

/**
 * A sentence for each value that Node and systemd read differently. A # within a line starts a
 * comment in Node, but not in systemd, which also removes backslashes. Both read quoted values the
 * same. Only Node reads a `.env`, so a comment after a blank is fine there.
 */
export function ambiguousSettings(text: string, file: string): string[] {
  const isForNode = basename(file) === '.env'
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name = '', value = ''] =
      /^\s*(?:export\s+)?([A-Z]\w*)\s*=\s*(.*?)\s*$/i.exec(line) ?? []
    const isQuoted = /^('[^']*'|"[^"\\]*")$/.test(value)
    const odd = isForNode ? /^[^'"`#]\S*?#/ : /[#\\`]/
    if (isQuoted || !odd.test(value)) return []
    return [
      `The value of ${name} in ${file} has a sign (# \\ or \`) that is not read the same everywhere: put it in single quotes, as ${name}='…'.`,
    ]
  })
}

/**
 * Reads the settings of this process; no other code reads its environment. Prints the names in its
 * `.env` file that are not settings.
 * @throws StartError like readSettings, and for a value in that file that systemd reads differently
 */
export function processSettings(): Settings {
  const file = process.execArgv.find((word) => word.startsWith('--env-file='))?.split('=')[1]
  if (file) {
    const text = readFileSync(file, 'utf8')
    for (const line of unknownSettings(text, settingNames, file)) console.error(line)
    const ambiguous = ambiguousSettings(text, file)
    if (ambiguous.length > 0) throw new StartError(ambiguous.join('\n'))
  }
  return readSettings(process.env)
}
