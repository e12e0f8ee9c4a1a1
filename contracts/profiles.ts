import { z } from 'zod'
import { messages } from './messages.ts'

export const profileLimits = { text: 200, linkedIn: 300 } as const

const line = (name: string, required: string) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(profileLimits.text, `${name} must be ${profileLimits.text} characters or shorter`)

const linkedInTooLong = `LinkedIn must be ${profileLimits.linkedIn} characters or shorter`

/** Turns typed text into the https URL of a LinkedIn page: with http, without a scheme, or `in/name` alone; else null. */
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

/** PUT /profile/{email}. Name and e-mail come from the account, whatever the request says. */
export const ProfileUpdate = z
  .object({
    education: line('Education', messages.educationRequired),
    location: line('Location', messages.locationRequired),
    phone: line('Phone', messages.phoneRequired),
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
