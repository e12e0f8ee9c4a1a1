import { generateKeyPair } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ClientMetadata, type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'
import { Accounts, choose, errorPage, frontPage } from './chooser.ts'

export type GoogleSandboxOptions = {
  /** URL of this provider, ending with `basePath`. */
  issuer: string
  /** The path below which this serves, such as `/sandbox/google`. */
  basePath: string
  clientId: string
  clientSecret: string
  /** The redirect URI of the only client. */
  redirectUri: string
  /** Required to choose an account. */
  token: string
  /** Signs the cookies of a sign-in in progress. */
  cookieSecret: string
  log?: (line: string) => void
}

const policy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Set on every response. There is no opener policy, because the window that opened this one waits
 * for its message.
 */
const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** Every sign-in asks for the account, and none for consent. */
function prompts() {
  const { base, Prompt } = interactionPolicy
  const promptPolicy = base()
  promptPolicy.remove('consent')
  promptPolicy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  return promptPolicy
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
  // a path without pages, so that no sign-in remembers an earlier one
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

const claimsOfScope = { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] }

const clientFor = (options: GoogleSandboxOptions): ClientMetadata => ({
  client_id: options.clientId,
  client_secret: options.clientSecret,
  redirect_uris: [options.redirectUri],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
})

/** Grants the client its scopes without consent. */
const grantAll: Configuration['loadExistingGrant'] = async ({ oidc }) => {
  const { client, session, provider } = oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

/**
 * Creates the RSA key that signs ID tokens. Its id is its fingerprint, so that clients do not
 * confuse it with an earlier key.
 */
async function newSigningKey() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
}

const configuration = async (
  options: GoogleSandboxOptions,
  accounts: Accounts,
): Promise<Configuration> => ({
  adapter: createMemoryAdapter(),
  jwks: { keys: [await newSigningKey()] },
  clients: [clientFor(options)],
  responseTypes: ['code'],
  scopes: ['openid', 'email', 'profile'],
  claims: claimsOfScope,
  // as at Google, the ID token itself contains the profile
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
  findAccount(_ctx, sub) {
    const account = accounts.find(sub)
    if (!account) return undefined
    const { email, name, emailVerified } = account
    return { accountId: sub, claims: () => ({ sub, email, email_verified: emailVerified, name }) }
  },
  loadExistingGrant: grantAll,
  renderError(ctx, { error, error_description: description }) {
    ctx.type = 'html'
    ctx.body = String(errorPage(options.basePath, description ?? error))
  },
})

/** The provider with its account chooser, for paths below `basePath`. */
export async function openProvider(options: GoogleSandboxOptions) {
  const { basePath } = options
  const accounts = new Accounts()
  const provider = new Provider(options.issuer, await configuration(options, accounts))
  const styles = readFileSync(join(import.meta.dirname, 'chooser.css'), 'utf8')
  provider.on('server_error', (_ctx, error) =>
    options.log?.(`the sandbox for Google failed: ${error}`),
  )
  provider.use(async (ctx, next) => {
    ctx.set(headers)
    if (ctx.path === '/chooser.css') {
      ctx.type = 'css'
      ctx.body = styles
    } else if (ctx.path === '/') {
      ctx.type = 'html'
      ctx.body = String(frontPage(basePath))
    } else if (/^\/account\/[\w-]+$/.test(ctx.path)) {
      await choose(ctx, provider, { accounts, basePath })
    } else {
      await next()
    }
  })
  return provider.callback()
}
