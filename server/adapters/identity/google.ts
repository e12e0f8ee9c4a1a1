import { AsyncLocalStorage } from 'node:async_hooks'
import { validateAuthorizationCode } from 'better-auth/oauth2'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import { z } from 'zod'

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})
type Discovery = z.infer<typeof Discovery>

const timeoutMs = 5_000
const cacheMs = 60_000

/**
 * Reads an OpenID Connect provider's discovery document, at most once a minute and one request at a
 * time.
 * @returns a reader that rejects when the provider is unreachable or names another issuer
 */
export function discoveryReader(issuer: string): () => Promise<Discovery> {
  let cached: { document: Discovery; until: number } | undefined
  let reading: Promise<Discovery> | undefined
  const read = async () => {
    const response = await fetch(discoveryUrl(issuer), { signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok) throw new Error(`${issuer} answered ${response.status}`)
    const document = Discovery.parse(await response.json())
    if (document.issuer !== issuer) throw new Error(`${issuer} calls itself ${document.issuer}`)
    cached = { document, until: Date.now() + cacheMs }
    return document
  }
  return () => {
    if (cached && cached.until > Date.now()) return Promise.resolve(cached.document)
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

const discoveryUrl = (issuer: string) => `${issuer}/.well-known/openid-configuration`

export type GoogleSettings = {
  clientId: string
  clientSecret: string
  /** Google's, or any other OpenID Connect provider's. */
  issuer: string
}

export const googleId = 'google'

/** The provider's response to the exchange of a code, during one request. */
const exchange = new AsyncLocalStorage<{ failure?: string }>()

function nameOf(error: unknown): string | undefined {
  const { error: code, status } = Object(error) as { error?: unknown; status?: unknown }
  if (code === 'invalid_client' || code === 'unauthorized_client') return code
  return typeof status === 'number' && status > 0 ? undefined : 'unreachable'
}

/**
 * Runs one request's `handle`. The library turns every failed exchange of a code into
 * `invalid_code`; this function restores the provider's own error.
 */
export async function mapTokenError(handle: () => Promise<Response>): Promise<Response> {
  const noted: { failure?: string } = {}
  const response = await exchange.run(noted, handle)
  const location = response.headers.get('location')
  if (!noted.failure || !location) return response
  const headers = new Headers(response.headers)
  headers.set('location', location.replace('error=invalid_code', `error=${noted.failure}`))
  return new Response(null, { status: response.status, headers })
}

/**
 * Sign-in with Google as generic OpenID Connect, the same for Google and its sandbox. It is not a
 * trusted provider: accounts are linked only by an e-mail address that both sides have verified.
 * @param cleanName a name that the shop's accounts may have
 */
export function google(
  settings: GoogleSettings,
  discover: () => Promise<Discovery>,
  cleanName: (name: unknown, email: string) => string,
) {
  const { clientId, clientSecret, issuer } = settings
  const config: GenericOAuthConfig<typeof googleId> = {
    providerId: googleId,
    discoveryUrl: discoveryUrl(issuer),
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    requireIdTokenVerification: true,
    prompt: 'select_account',
    // the shop's pages load no pictures from other sites
    mapProfileToUser: ({ name, email }) => ({
      name: cleanName(name, String(email)),
      image: undefined,
    }),
    async getToken({ code, codeVerifier, redirectURI }) {
      try {
        const { token_endpoint: tokenEndpoint } = await discover()
        const options = { clientId, clientSecret }
        return await validateAuthorizationCode({
          code,
          redirectURI,
          options,
          tokenEndpoint,
          ...(codeVerifier && { codeVerifier }),
        })
      } catch (error) {
        const failure = nameOf(error)
        if (failure) Object.assign(exchange.getStore() ?? {}, { failure })
        throw error
      }
    },
  }
  return {
    ...genericOAuth({ config: [config] }),
    // otherwise, the start would wait for the provider; the first sign-in looks it up instead
    init: () => ({ context: { genericOAuthPendingDiscovery: new Map([[googleId, config]]) } }),
  }
}
