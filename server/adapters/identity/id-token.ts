import { jwt } from 'better-auth/plugins/jwt'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { AppError } from '#server/errors.ts'
import type { Proof } from './port.ts'

/**
 * The issuer's name in the shop's rows. Not its URL, because PORT and PUBLIC_URL may change while
 * users stay the same.
 */
export const embeddedIssuer = 'embedded'

const audience = 'ferrite'

/** Issues ID tokens that are valid for five minutes. */
export const idTokens = (issuer: string) =>
  jwt({
    disableSettingJwtHeader: true,
    jwt: {
      issuer,
      audience,
      expirationTime: '5m',
      definePayload: ({ user, session }) => ({
        email: user.email.toLowerCase(),
        email_verified: user.emailVerified,
        name: user.name,
        sid: session.id,
      }),
    },
  })

/** Verifies ID tokens with the provider's keys, and reads the keys again for an unknown one. */
export function tokenVerifier(issuer: string, readKeys: () => Promise<JSONWebKeySet>) {
  let keys: ReturnType<typeof createLocalJWKSet> | undefined
  const verify = async (token: string, fresh: boolean) => {
    if (!keys || fresh) keys = createLocalJWKSet(await readKeys())
    return jwtVerify(token, keys, { issuer, audience, algorithms: ['EdDSA'], clockTolerance: 5 })
  }
  return async (token: string): Promise<Proof> => {
    const { payload } = await verify(token, false)
      .catch((error) =>
        error instanceof errors.JWKSNoMatchingKey ? verify(token, true) : Promise.reject(error),
      )
      .catch((error) => {
        if (!(error instanceof errors.JOSEError)) throw error
        throw new AppError('UNAUTHENTICATED', 'The identity token is not valid. Log in again.')
      })
    return {
      issuer: embeddedIssuer,
      subject: String(payload.sub),
      email: String(payload.email),
      emailVerified: payload.email_verified === true,
      name: String(payload.name),
      sessionId: typeof payload.sid === 'string' ? payload.sid : null,
    }
  }
}
