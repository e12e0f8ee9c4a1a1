import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, UnsecuredJWT } from 'jose'
import { z } from 'zod'
import { AppError, KeyRefused } from '#server/errors.ts'
import type { Identity, Proof } from './port.ts'

export type FirebaseSettings = {
  projectId: string
  apiKey: string
  /** Sent as the referrer, because an API key may be restricted to the shop's pages. */
  publicUrl: string
  /** Origin of the Auth emulator, whose ID tokens have no signature; null for Firebase itself. */
  emulator: string | null
  timeoutMs: number
  /** Converts Firebase's name for a user into one that accounts may have. */
  cleanName: (name: unknown, email: string) => string
  log: (message: string) => void
  /** Replaces Google's servers. */
  servers?: FirebaseServers | undefined
}

export type FirebaseServers = {
  keySet: string
  api: string
  /** For an unknown key, the key set is read again at most once in this many milliseconds. */
  cooldownMs: number
}

const google: FirebaseServers = {
  keySet:
    'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
  api: 'https://identitytoolkit.googleapis.com',
  cooldownMs: 10_000,
}

/** Seconds by which two clocks may differ. */
const clockTolerance = 5

/** Firebase deletes an account only within five minutes of a login. */
const freshSeconds = 240
const tooOld =
  'To delete your account, log out, log in again, and delete it within the next minutes: that proves that it is you.'

const Claims = z.object({
  sub: z.string().min(1).max(128),
  iat: z.number(),
  exp: z.number(),
  auth_time: z.number(),
})

const Accounts = z.object({
  users: z.tuple([
    z.object({
      localId: z.string(),
      email: z.string().min(1).toLowerCase(),
      emailVerified: z.boolean().default(false),
      displayName: z.string().optional(),
      disabled: z.boolean().default(false),
      /** Seconds since 1970; earlier sign-ins are revoked. */
      validSince: z.coerce.number().default(0),
    }),
  ]),
})
const Project = z.object({ authorizedDomains: z.array(z.string()) })
const Refused = z.object({ error: z.object({ message: z.string() }) })

const invalid = () =>
  new AppError('UNAUTHENTICATED', 'The identity token is not valid. Log in again.')
const revoked = () => new AppError('UNAUTHENTICATED', 'This session has ended. Log in again.')
const disabled = () => new AppError('BLOCKED', 'This account has been disabled. Ask the shop why.')
const unreachable = () =>
  new AppError('PROVIDER_DOWN', 'Logging in does not work for a moment. Try again.')

/** The errors of accounts:lookup for an ID token that it does not accept. */
const refusals: Record<string, () => AppError> = {
  INVALID_ID_TOKEN: invalid,
  USER_NOT_FOUND: revoked,
  TOKEN_EXPIRED: revoked,
  USER_DISABLED: disabled,
}

/** Whether the response means an invalid or restricted API key; the status is mostly 400. */
const isKeyRefused = (status: number, message: string) =>
  status === 401 ||
  status === 403 ||
  /\bAPI[ _]key\b|CONFIGURATION_NOT_FOUND|PROJECT_NOT_FOUND/i.test(message)

/** The projects that own these default domains. */
const projectsOf = (domains: string[]): string[] => [
  ...new Set(
    domains.flatMap(
      (domain) => /^([a-z0-9-]+)\.(?:firebaseapp\.com|web\.app)$/.exec(domain)?.[1] ?? [],
    ),
  ),
]

/** jose's error codes when it cannot read the keys. */
const ofKeySet = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])

/** Reads the claims of an ID token after checking its signature, issuer, audience and time. */
function claimsReader(settings: FirebaseSettings, issuer: string) {
  const { projectId: audience, emulator, timeoutMs, log, servers = google } = settings
  const options = { issuer, audience, clockTolerance }
  const keys = createRemoteJWKSet(new URL(servers.keySet), {
    timeoutDuration: timeoutMs,
    cooldownDuration: servers.cooldownMs,
  })
  return async (token: string): Promise<JWTPayload> => {
    try {
      if (emulator) return UnsecuredJWT.decode(token, options).payload
      return (await jwtVerify(token, keys, { ...options, algorithms: ['RS256'] })).payload
    } catch (error) {
      if (error instanceof errors.JOSEError && !ofKeySet.has(error.code)) throw invalid()
      // no token is accepted while the keys cannot be read
      log(`key set: ${error instanceof Error ? error.message : error}`)
      throw unreachable()
    }
  }
}

/** Calls that Firebase allows to anybody with an ID token of the account. */
function accountCalls({
  projectId,
  apiKey,
  publicUrl,
  emulator,
  timeoutMs,
  log,
  servers = google,
}: FirebaseSettings) {
  const api = emulator ? `${emulator}/identitytoolkit.googleapis.com` : servers.api
  const headers = { 'content-type': 'application/json', referer: `${publicUrl}/` }
  /**
   * Checks that the key belongs to the shop's project: ID tokens of another project are useless
   * here.
   * Source: https://cloud.google.com/identity-platform/docs/reference/rest/v1/TopLevel/getProjects
   */
  const checkProject = async () => {
    const signal = AbortSignal.timeout(timeoutMs)
    const at = `${api}/v1/projects?${new URLSearchParams({ key: apiKey })}`
    // the key has already been tested, so an error here reveals nothing about the project
    const body: unknown = await fetch(at, { headers, signal })
      .then((response) => response.json())
      .catch(() => null)
    const [other, ...more] = projectsOf(Project.safeParse(body).data?.authorizedDomains ?? [])
    if (!other || [other, ...more].includes(projectId)) return
    const reason = `The shop’s key belongs to the Firebase project ${other}, not of ${projectId} (FIREBASE_PROJECT_ID)`
    throw new KeyRefused('sign_in', unreachable().message, reason)
  }
  const call = async (name: string, idToken: string): Promise<unknown> => {
    const down = (why: string) => {
      log(`${name}: ${why}`)
      return unreachable()
    }
    const answer = await fetch(`${api}/v1/${name}?${new URLSearchParams({ key: apiKey })}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ idToken }),
      signal: AbortSignal.timeout(timeoutMs),
    })
      .then(async (response) => ({ response, body: (await response.json()) as unknown }))
      .catch((error: Error) => Promise.reject(down(error.message)))
    const { ok, status } = answer.response
    if (ok) return answer.body
    const message = Refused.safeParse(answer.body).data?.error.message ?? 'no reason'
    const refusal = refusals[message.split(' ')[0] ?? '']
    if (refusal) throw refusal()
    if (!isKeyRefused(status, message)) throw down(message)
    const reason = `Firebase refuses the key of the shop: ${message.replaceAll(apiKey, '…')} (FIREBASE_API_KEY)`
    throw new KeyRefused('sign_in', unreachable().message, reason)
  }
  return {
    /** The account's current state. */
    async lookUp(idToken: string) {
      const accounts = Accounts.safeParse(await call('accounts:lookup', idToken))
      // an account without an e-mail address has none for its orders
      if (!accounts.success) throw invalid()
      return accounts.data.users[0]
    },
    /**
     * Sends an invalid ID token: Firebase complains about the token only if the key is valid. Then
     * checks which project the key belongs to.
     */
    async verify() {
      await call('accounts:lookup', 'none').catch((error) => {
        if (!(error instanceof AppError) || error.code === 'PROVIDER_DOWN') throw error
      })
      if (!emulator) await checkProject()
    },
    async remove(idToken: string) {
      await call('accounts:delete', idToken)
    },
  }
}

/**
 * Identity by Firebase Auth, which the browser calls directly. The shop verifies its ID tokens and
 * checks at each exchange whether the account is still valid. Source:
 * https://firebase.google.com/docs/auth/admin/verify-id-tokens
 */
export function firebaseIdentity(settings: FirebaseSettings): Identity {
  const issuer = `https://securetoken.google.com/${settings.projectId}`
  const readClaims = claimsReader(settings, issuer)
  const calls = accountCalls(settings)
  const verify = async (token: string) => {
    const claims = Claims.safeParse(await readClaims(token))
    const now = Date.now() / 1000 + clockTolerance
    if (!claims.success || claims.data.iat > now || claims.data.auth_time > now) throw invalid()
    const { sub: subject, auth_time: signedInAt } = claims.data
    const account = await calls.lookUp(token)
    if (account.localId !== subject) throw invalid()
    if (account.disabled) throw disabled()
    if (signedInAt < account.validSince) throw revoked()
    return { subject, signedInAt, account }
  }
  return {
    provider: 'firebase',
    issuer,
    verify: calls.verify,
    handle: null,
    async verifyIdToken(token): Promise<Proof> {
      const { subject, signedInAt, account } = await verify(token)
      return {
        issuer,
        subject,
        email: account.email,
        emailVerified: account.emailVerified,
        name: settings.cleanName(account.displayName, account.email),
        // all ID tokens of one sign-in contain its time
        sessionId: `${subject}.${signedInAt}`,
      }
    },
    ensureAccount: null,
    async removal({ subject }, idToken) {
      const login = await verify(idToken)
      const age = Date.now() / 1000 - login.signedInAt
      if (login.subject !== subject) throw invalid()
      if (age > freshSeconds) throw new AppError('INVALID', tooOld)
      return () =>
        calls.remove(idToken).catch(() => {
          // the shop's account is gone; the one left at Firebase opens nothing here
          settings.log(`accounts:delete failed for ${subject}`)
        })
    },
    signIns: async () => null,
    endSignIns: async () => {},
    passwordLink: async () => null,
    hasPassword: async () => false,
    isPassword: async () => false,
    secondFactor: async () => 'off',
    removeSecondFactor: async () => false,
    noteUse: async () => {},
  }
}
