import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, generateGenericState } from 'better-auth/api'
import { generateRandomString } from 'better-auth/crypto'
import { generateIdTokenNonce } from 'better-auth/oauth2'
import { localPath } from '#contracts/local-path.ts'
import { googleId } from './google.ts'
import { donePage, eventPattern } from './popup-page.ts'

const accountExists = 'auth/account-exists-with-different-credential'
const invalidEvent = 'auth/invalid-auth-event'

/**
 * Error codes of the library and of OpenID Connect providers, mapped to those of the browser's
 * port.
 */
const codes: Record<string, string> = {
  account_not_linked: accountExists,
  unable_to_link_account: accountExists,
  account_already_linked_to_different_user: accountExists,
  email_does_not_match: accountExists,
  state_mismatch: invalidEvent,
  state_not_found: invalidEvent,
  state_invalid: invalidEvent,
  state_security_mismatch: invalidEvent,
  invalid_callback_request: invalidEvent,
  no_code: invalidEvent,
  invalid_code: invalidEvent,
  nonce_binding_missing: invalidEvent,
  issuer_mismatch: invalidEvent,
  issuer_missing: invalidEvent,
  unable_to_get_user_info: invalidEvent,
  access_denied: 'auth/popup-closed-by-user',
  invalid_client: 'auth/invalid-api-key',
  unauthorized_client: 'auth/invalid-api-key',
  oauth_provider_not_found: 'auth/network-request-failed',
  unreachable: 'auth/network-request-failed',
  not_configured: 'auth/auth-domain-config-required',
  foreign_page: 'auth/unauthorized-domain',
  user_disabled: 'auth/user-disabled',
  too_many_requests: 'auth/too-many-requests',
  two_factor_required: 'auth/multi-factor-auth-required',
}

const knownCodes = new Set(Object.values(codes))

/** @param error a code of the library, a provider or the shop; null on success */
function errorCode(error: string | null): string | null {
  if (!error || knownCodes.has(error)) return error || null
  return codes[error] ?? 'auth/internal-error'
}

export type EntrySettings = {
  publicUrl: string
  /** Behind a proxy, the Host header is not what the user typed. */
  trustProxy: boolean
  /** Rejects when the provider is unreachable; null without a provider. */
  reach: (() => Promise<unknown>) | null
}

const flowMs = 600_000
const withQuery = (path: string, query: Record<string, string | null>) => {
  const filled = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  return filled.length > 0 ? `${path}?${new URLSearchParams(filled)}` : path
}

const donePath = '/identity/popup/done'

/**
 * The URL to which the redirect flow returns: the login screen, which reads the parameter `google`.
 */
const backToLogin = (google: string, from: string | null) => withQuery('/login', { google, from })

/**
 * Whether the request may start a sign-in: not from another site, nor on a host that the cookie
 * would not reach.
 */
function isOwnPage(request: Request, { publicUrl, trustProxy }: EntrySettings): boolean {
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  const host = trustProxy ? request.headers.get('x-forwarded-host') : new URL(request.url).host
  return (site === 'same-origin' || site === 'none') && (!host || host === new URL(publicUrl).host)
}

type StartContext = Parameters<typeof generateGenericState>[0]

/**
 * Starts a flow with state, PKCE and nonce, stored in the database and a cookie.
 * @returns the provider's URL; null when the library never reached the provider
 */
async function begin(c: StartContext, callbackURL: string, errorURL: string): Promise<URL | null> {
  const provider = c.context.socialProviders.find(({ id }) => id === googleId)
  if (!provider) return null
  const codeVerifier = generateRandomString(128)
  const idTokenNonce = generateIdTokenNonce(provider)
  const { state } = await generateGenericState(c, {
    callbackURL,
    errorURL,
    codeVerifier,
    idTokenNonce,
    expiresAt: Date.now() + flowMs,
  })
  return provider.createAuthorizationURL({
    state,
    codeVerifier,
    idTokenNonce,
    redirectURI: `${c.context.baseURL}/callback/${googleId}`,
  })
}

/** The reason why a sign-in cannot start, or null. */
async function obstacle(settings: EntrySettings): Promise<string | null> {
  if (!settings.reach) return 'not_configured'
  return settings.reach().then(
    () => null,
    () => 'unreachable',
  )
}

const step = /^\/identity\/(popup|redirect|callback)\/google$/

/** Shows a refusal during a sign-in as the popup's last page instead of JSON. */
export function redirectOnError(request: Request, response: Response): Response {
  const { pathname } = new URL(request.url)
  if (response.status < 400 || !step.test(pathname)) return response
  const location = withQuery(donePath, { error: 'invalid_callback_request' })
  return new Response(null, { status: 302, headers: { location } })
}

/**
 * The server's part of the popup and of the redirect flow: `/popup/google` and `/redirect/google`
 * start it, `/popup/done` and `/redirect/done` end it, and `/popup/check` checks in advance whether
 * it can start.
 */
export function googleEntry(settings: EntrySettings) {
  const { publicUrl } = settings
  const options = { method: 'GET', requireRequest: true } as const
  const go = async (
    c: StartContext & { request: Request },
    fail: (error: string) => string,
    successPath: string,
    errorPath: string,
  ) => {
    const problem = isOwnPage(c.request, settings) ? await obstacle(settings) : 'foreign_page'
    if (problem) throw c.redirect(fail(problem))
    const address = await begin(c, publicUrl + successPath, publicUrl + errorPath)
    throw c.redirect(address?.href ?? fail('unreachable'))
  }
  return {
    id: 'ferrite-google',
    endpoints: {
      // with the provider's name as a parameter, the library would look the provider up again
      startPopup: createAuthEndpoint('/popup/:id', options, async (c) => {
        const event = new URL(c.request.url).searchParams.get('event') ?? ''
        const successPath = withQuery(donePath, { event: eventPattern.test(event) ? event : null })
        const fail = (error: string) => withQuery(donePath, { event, error })
        if (successPath === donePath) {
          throw c.redirect(withQuery(donePath, { error: 'invalid_callback_request' }))
        }
        return go(c, fail, successPath, successPath)
      }),
      endPopup: createAuthEndpoint('/popup/done', options, async (c) => {
        const query = new URL(c.request.url).searchParams
        const event = query.get('event') ?? ''
        return donePage(eventPattern.test(event) ? event : '', errorCode(query.get('error')) ?? '')
      }),
      check: createAuthEndpoint('/popup/check', options, async () => {
        const problem = await obstacle(settings)
        if (!problem) return new Response(null, { status: 204 })
        const status = problem === 'not_configured' ? 404 : 503
        return Response.json({ code: errorCode(problem) }, { status })
      }),
      startRedirect: createAuthEndpoint('/redirect/:id', options, async (c) => {
        const from = localPath(new URL(c.request.url).searchParams.get('from'))
        const fail = (error: string) => backToLogin(errorCode(error) ?? '', from)
        return go(
          c,
          fail,
          backToLogin('done', from),
          withQuery('/identity/redirect/done', { from }),
        )
      }),
      endRedirect: createAuthEndpoint('/redirect/done', options, async (c) => {
        const query = new URL(c.request.url).searchParams
        const from = localPath(query.get('from'))
        throw c.redirect(backToLogin(errorCode(query.get('error')) ?? 'auth/internal-error', from))
      }),
    },
  } satisfies BetterAuthPlugin
}
