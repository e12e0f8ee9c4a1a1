import { z } from 'zod'

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})
export type Discovery = z.infer<typeof Discovery>

const timeoutMs = 5_000
const cacheMs = 60_000

/**
 * Reads an OpenID Connect provider's discovery document, at most once a minute and once at a time.
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

export const discoveryUrl = (issuer: string) => `${issuer}/.well-known/openid-configuration`
