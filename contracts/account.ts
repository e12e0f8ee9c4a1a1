import { z } from 'zod'

/** One session of the caller. `browser` and `system` are names for people; null when the browser sent none. */
export const SessionInfo = z.strictObject({
  _id: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** Phones and tablets. */
  handheld: z.boolean(),
  signedInAt: z.iso.datetime(),
  /** When its access token was last renewed, which happens once an hour while it is used. */
  lastSeenAt: z.iso.datetime(),
  /** Whether this request belongs to it. */
  current: z.boolean(),
})
export type SessionInfo = z.infer<typeof SessionInfo>

/** A session's name on screens: "Firefox on Windows". */
export function deviceText({ browser, system }: Pick<SessionInfo, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}

/** GET /me: whether a deletion asks for a password or for the address. */
export const Me = z.strictObject({ hasPassword: z.boolean() })

/** DELETE /me: the password or, for an account without one, the address. */
export const AccountDeletion = z.object({
  password: z.string().max(128).optional(),
  email: z.string().trim().toLowerCase().max(254).optional(),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** Replaces the customer's data in rows that outlive a deleted account. */
export const deletedUserName = {
  name: 'A former customer',
  phone: '-',
  domain: '@deleted.invalid',
} as const

/** Mail to such an address reaches no one. */
export const isDeletedUser = (email: string): boolean => email.endsWith(deletedUserName.domain)
