/**
 * Trusted devices: browsers in which the account's owner signed in. A signed cookie counts until the password changes.
 * Source: OWASP, "Slow down online guessing attacks with device cookies".
 */
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import type { Database } from '#server/database/client.ts'
import { passwordFingerprint } from '#server/database/password-fingerprint.ts'

const cookieName = 'ferrite.device'
const halfAYear = 180 * 24 * 3600

export type DeviceSettings = { db: Database; secret: string; https: boolean }

/** The key by which a trusted device is counted; undefined for an unknown one. */
export async function trustedDevice(
  { db, secret }: DeviceSettings,
  c: Context,
  email: string,
): Promise<string | undefined> {
  const cookie = await getSignedCookie(c, secret, cookieName)
  if (!cookie) return undefined
  const mark = await passwordFingerprint(db, email)
  return mark && cookie.startsWith(`${mark}.`) ? cookie : undefined
}

/** Makes this browser a trusted device of the account. */
export async function trustDevice(
  { db, secret, https }: DeviceSettings,
  c: Context,
  email: string,
): Promise<void> {
  const mark = await passwordFingerprint(db, email)
  if (!mark) return
  await setSignedCookie(c, cookieName, `${mark}.${randomBytes(16).toString('hex')}`, secret, {
    path: '/identity',
    httpOnly: true,
    sameSite: 'Lax',
    secure: https,
    maxAge: halfAYear,
  })
}
