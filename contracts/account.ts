import { z } from 'zod'

/** One sign-in of the caller. `browser` and `system` are words for people; null when the browser did not say. */
export const SessionInfo = z.strictObject({
  _id: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** Phones and tablets. */
  handheld: z.boolean(),
  signedInAt: z.iso.datetime(),
  /** When its access was last renewed; that is once an hour while it is used. */
  lastSeenAt: z.iso.datetime(),
  /** Is it the one that asks? */
  current: z.boolean(),
})
export type SessionInfo = z.infer<typeof SessionInfo>

/** What a sign-in is called on screens: "Firefox on Windows". */
export function deviceText({ browser, system }: Pick<SessionInfo, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}

/** GET /me: how its deletion is confirmed. */
export const Me = z.strictObject({ hasPassword: z.boolean() })

/** DELETE /me: the password, or the address where there is no password. */
export const AccountDeletion = z.object({
  password: z.string().max(128).optional(),
  email: z.string().trim().toLowerCase().max(254).optional(),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** What stands in rows that have to stay when their customer's account is deleted. */
export const deletedUserName = {
  name: 'A former customer',
  phone: '-',
  domain: '@deleted.invalid',
} as const

/** Nobody reads mail to such an address. */
export const isDeletedUser = (email: string): boolean => email.endsWith(deletedUserName.domain)
