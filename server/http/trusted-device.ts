/**
 * Browsers in which somebody proved to be an account's owner: a signed cookie that is worth something as long as the
 * account has the password it had then. Source: OWASP, "Slow down online guessing attacks with device cookies".
 */
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import type { Database } from '#server/database/client.ts'
import { passwordMark } from '#server/database/password-mark.ts'

const cookieName = 'ferrite.device'
const halfAYear = 180 * 24 * 3600

export type DeviceSettings = { db: Database; secret: string; https: boolean }

/** What this browser is to this account, to count it apart; undefined for a stranger. */
export async function trustedDevice(
  { db, secret }: DeviceSettings,
  c: Context,
  email: string,
): Promise<string | undefined> {
  const cookie = await getSignedCookie(c, secret, cookieName)
  if (!cookie) return undefined
  const mark = await passwordMark(db, email)
  return mark && cookie.startsWith(`${mark}.`) ? cookie : undefined
}

/** From the answer on this browser is known to this account. */
export async function trustDevice(
  { db, secret, https }: DeviceSettings,
  c: Context,
  email: string,
): Promise<void> {
  const mark = await passwordMark(db, email)
  if (!mark) return
  await setSignedCookie(c, cookieName, `${mark}.${randomBytes(16).toString('hex')}`, secret, {
    path: '/identity',
    httpOnly: true,
    sameSite: 'Lax',
    secure: https,
    maxAge: halfAYear,
  })
}
