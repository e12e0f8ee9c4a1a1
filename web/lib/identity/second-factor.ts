/** The second factor of the shop's own accounts. With Firebase, there is none. */
import { call } from './embedded.ts'

/** What an authenticator app shows; anything else is a recovery code. */
const isAppCode = (code: string) => /^\d{6}$/.test(code)

/**
 * Enters a one-time code or a recovery code: after the password, or in a session to confirm a call.
 * @throws IdentityError, as a rejection
 */
export async function enterCode(typed: string): Promise<void> {
  const code = typed.replaceAll(/\s/g, '')
  const path = isAppCode(code) ? 'verify-totp' : 'verify-backup-code'
  await call(`/two-factor/${path}`, { code })
}

/** `uri` goes into an authenticator app, as text or as a QR code. */
export type NewFactor = { uri: string; recoveryCodes: string[] }

/**
 * Makes a secret. The second factor is on once a first code was entered.
 * @param issuer the shop's name in the app
 * @throws IdentityError, as a rejection
 */
export async function startSecondFactor(password: string, issuer: string): Promise<NewFactor> {
  const answer = await call('/two-factor/enable', { password, issuer })
  const { totpURI, backupCodes } = answer as { totpURI: string; backupCodes: string[] }
  return { uri: totpURI, recoveryCodes: backupCodes }
}

/** @throws IdentityError, as a rejection */
export async function stopSecondFactor(password: string): Promise<void> {
  await call('/two-factor/disable', { password })
}

/** Replaces the recovery codes. @throws IdentityError, as a rejection */
export async function renewRecoveryCodes(password: string): Promise<string[]> {
  const answer = await call('/two-factor/generate-backup-codes', { password })
  return (answer as { backupCodes: string[] }).backupCodes
}
