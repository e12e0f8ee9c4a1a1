import { z } from 'zod'
import { basketLimit } from './basket.ts'
import { line } from './line.ts'
import { messages } from './messages.ts'
import { Phone } from './orders.ts'

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

/**
 * GET /me: whether deleting the account requires the password or the e-mail address, whether the
 * address is verified, and whether logging in asks for a one-time code.
 */
export const Me = z.strictObject({
  hasPassword: z.boolean(),
  emailVerified: z.boolean(),
  secondFactor: z.boolean(),
})

/** GET and PUT /me/basket. */
export const AccountBasket = z
  .strictObject({
    parts: z
      .string()
      .max(basketLimit)
      .regex(/^[0-9x,]*$/, 'must be numbers of parts, like 12,15x2')
      .describe('Numbers of parts with commas between, and quantities: `12,15x2`. Empty: none.'),
  })
  .meta({ examples: [{ parts: '1,2x3' }] })

/** DELETE /me: the password or, for an account without one, the e-mail address. */
export const AccountDeletion = z
  .object({
    password: z.string().max(128).optional(),
    email: z.string().trim().toLowerCase().max(254).optional(),
    idToken: z
      .string()
      .max(8192)
      .optional()
      .describe('Of a login a few minutes old, where the account is at a provider elsewhere.'),
  })
  .meta({ examples: [{ password: 'correct horse' }] })
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** Replaces the customer's name and address in rows that stay after the account is deleted. */
export const deletedUserName = {
  name: 'A former customer',
  domain: '@deleted.invalid',
  /** Replaces the name of the demo's owner once `go-live` has removed the demonstration. */
  demoOwner: 'The demo owner',
} as const

/** Whether this is the address of a deleted user, to which no mail can be delivered. */
export const isDeletedUser = (email: string): boolean => email.endsWith(deletedUserName.domain)

export const profileLimits = { text: 200, linkedIn: 300 } as const

const linkedInTooLong = `LinkedIn must be ${profileLimits.linkedIn} characters or shorter`

/**
 * Turns typed text into the https URL of a LinkedIn page. Accepts http URLs, URLs without a scheme,
 * and a bare `in/name`; returns null for anything else.
 */
function linkedInAddress(typed: string): string | null {
  if (/^\/?in\/[^/?#\\]+\/?$/.test(typed))
    return linkedInAddress(`www.linkedin.com/${typed.replace(/^\//, '')}`)
  const address = URL.parse(/^[a-z][a-z\d+.-]*:/i.test(typed) ? typed : `https://${typed}`)
  if (!address || !/^https?:$/.test(address.protocol)) return null
  if (address.username || address.password || address.port) return null
  if (!/^([a-z\d-]+\.)*linkedin\.com$/.test(address.hostname)) return null
  address.protocol = 'https:'
  return address.href
}

const LinkedIn = z
  .string(messages.linkedInRequired)
  .trim()
  .min(1, messages.linkedInRequired)
  .max(profileLimits.linkedIn, linkedInTooLong)
  .transform((typed, context) => {
    const address = linkedInAddress(typed)
    if (address && address.length <= profileLimits.linkedIn) return address
    const message = address ? linkedInTooLong : messages.linkedInInvalid
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

/**
 * PUT /profile/{email}. Name and e-mail come from the account; values in the request are ignored.
 */
export const ProfileUpdate = z
  .object({
    education: line('Education', profileLimits.text, 1),
    location: line('Location', profileLimits.text, 1),
    phone: Phone,
    linkedIn: LinkedIn,
  })
  .meta({
    examples: [
      {
        education: 'Physics',
        location: 'Graz',
        phone: '+43 316 0100',
        linkedIn: 'https://www.linkedin.com/in/ada',
      },
    ],
  })
export type ProfileUpdate = z.infer<typeof ProfileUpdate>

/** GET /profile/{email}. A field that was never saved is null. */
export const Profile = z.strictObject({
  name: z.string(),
  email: z.string(),
  education: z.string().nullable(),
  location: z.string().nullable(),
  phone: z.string().nullable(),
  linkedIn: z.string().nullable(),
})
export type Profile = z.infer<typeof Profile>
