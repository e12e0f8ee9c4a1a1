import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClientMetadata, type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { findAccount } from './accounts.ts'
import { artifacts } from './adapter.ts'
import { choose } from './chooser.ts'
import { errorPage, frontPage } from './documents.ts'
import type { GoogleSandboxOptions } from './index.ts'
import { type SigningKey, signingKey } from './schema.ts'

const policy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** On every answer. No opener policy: the window that opened this one waits for its message. */
const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The account is asked for at every sign-in; what the client wants to know is never asked about. */
function prompts() {
  const { base, Prompt } = interactionPolicy
  const wanted = base()
  wanted.remove('consent')
  wanted.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  return wanted
}

const cookiesFor = ({
  basePath,
  cookieSecret,
}: GoogleSandboxOptions): Configuration['cookies'] => ({
  keys: [cookieSecret],
  names: {
    interaction: 'sandbox_google_interaction',
    resume: 'sandbox_google_resume',
    session: 'sandbox_google_session',
  },
  // sent back to no page: who it is, is asked at each sign-in
  long: { path: `${basePath}/nowhere`, httpOnly: true, sameSite: 'lax', signed: true },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
})

/** Seconds. */
const ttl = {
  AccessToken: 3600,
  AuthorizationCode: 60,
  Grant: 3600,
  IdToken: 3600,
  Interaction: 600,
  Session: 3600,
}

const claimed = { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] }

const clientFor = (options: GoogleSandboxOptions): ClientMetadata => ({
  client_id: options.clientId,
  client_secret: options.clientSecret,
  redirect_uris: [options.redirectUri],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
})

const accountFinder =
  (pool: Pool): Configuration['findAccount'] =>
  async (_ctx, sub) => {
    const account = await findAccount(pool, sub)
    if (!account) return undefined
    const { email, name, emailVerified } = account
    return { accountId: sub, claims: () => ({ sub, email, email_verified: emailVerified, name }) }
  }

/** What the client wants to know is granted without a question. */
const grantAll: Configuration['loadExistingGrant'] = async ({ oidc }) => {
  const { client, session, provider } = oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

const configuration = (options: GoogleSandboxOptions, key: SigningKey): Configuration => ({
  adapter: artifacts(options.pool),
  jwks: { keys: [key] },
  clients: [clientFor(options)],
  responseTypes: ['code'],
  scopes: ['openid', 'email', 'profile'],
  claims: claimed,
  // as Google does: the ID token itself says who it is
  conformIdTokenClaims: false,
  enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
  interactions: {
    policy: prompts(),
    url: (_ctx, { uid }) => `${options.basePath}/account/${uid}`,
  },
  cookies: cookiesFor(options),
  ttl,
  findAccount: accountFinder(options.pool),
  loadExistingGrant: grantAll,
  renderError(ctx, { error, error_description: description }) {
    ctx.type = 'html'
    ctx.body = String(errorPage(options.basePath, description ?? error))
  },
})

/** The provider with its account chooser, answering paths below `basePath`. */
export async function openProvider(options: GoogleSandboxOptions) {
  const { pool, basePath } = options
  const provider = new Provider(options.issuer, configuration(options, await signingKey(pool)))
  const sheet = readFileSync(join(import.meta.dirname, 'chooser.css'), 'utf8')
  provider.on('server_error', (_ctx, error) => options.log?.(`the stand-in failed: ${error}`))
  provider.use(async (ctx, next) => {
    ctx.set(headers)
    if (ctx.path === '/chooser.css') {
      ctx.type = 'css'
      ctx.body = sheet
    } else if (ctx.path === '/') {
      ctx.type = 'html'
      ctx.body = String(frontPage(basePath))
    } else if (/^\/account\/[\w-]+$/.test(ctx.path)) {
      await choose(ctx, provider, { pool, basePath })
    } else {
      await next()
    }
  })
  return provider.callback()
}
