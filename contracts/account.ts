import { z } from 'zod'

export const SessionInfo = z
  .strictObject({
    _id: z.string(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    handheld: z.boolean().describe('Phones and tablets.'),
    signedInAt: z.iso.datetime(),
    lastSeenAt: z.iso
      .datetime()
      .describe(
        'When its access token was last renewed, which happens once an hour while it is used.',
      ),
    current: z.boolean().describe('Whether this request belongs to it.'),
  })
  .describe(
    'One session of the caller. `browser` and `system` are names for people; null when the browser sent none.',
  )
export type SessionInfo = z.infer<typeof SessionInfo>

/** A session's name on screens: "Firefox on Windows". */
export function deviceText({ browser, system }: Pick<SessionInfo, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}

/** GET /me: whether a deletion asks for a password or for the address. */
export const Me = z.strictObject({ hasPassword: z.boolean() })

/** DELETE /me: the password or, for an account without one, the address. */
export const AccountDeletion = z
  .object({
    password: z.string().max(128).optional(),
    email: z.string().trim().toLowerCase().max(254).optional(),
  })
  .meta({ examples: [{ password: 'correct horse' }] })
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** Replaces the customer's data in rows that outlive a deleted account. */
export const deletedUserName = {
  name: 'A former customer',
  phone: '-',
  domain: '@deleted.invalid',
} as const

/** Mail to such an address reaches no one. */
export const isDeletedUser = (email: string): boolean => email.endsWith(deletedUserName.domain)
