import { z } from 'zod'
import { Reason } from './api.ts'
import { messages } from './messages.ts'

export const passwordLimits = { min: 6, max: 128 } as const

/** An e-mail address, trimmed and lower-cased. */
export const Email = z
  .string(messages.emailRequired)
  .trim()
  // limits the length before `normalize`, whose time is quadratic in the number of combining marks
  .max(254, { error: messages.emailInvalid, abort: true })
  .normalize('NFKC')
  .toLowerCase()
  .min(1, messages.emailRequired)
  .max(254, messages.emailInvalid)
  .pipe(z.email(messages.emailInvalid))
  .meta({ examples: ['ada@example.com'] })

export const ByEmail = z.object({ email: Email })

export const Password = z
  .string(messages.passwordRequired)
  .min(1, messages.passwordRequired)
  .min(passwordLimits.min, messages.passwordTooShort)
  .max(passwordLimits.max, messages.passwordTooLong)

/**
 * Allows no line breaks and no characters that reverse text, because names are shown next to other
 * text.
 */
export const legible = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u

export const DisplayName = z
  .string(messages.nameRequired)
  .trim()
  .max(100, messages.nameTooLong)
  .regex(legible, messages.nameInvalid)
  .regex(/[^\p{C}\p{Z}\p{M}]/u, messages.nameRequired)

export const SignUp = z.object({ name: DisplayName, email: Email, password: Password })
export type SignUp = z.infer<typeof SignUp>
export const Login = z.object({ email: Email, password: Password })
export type Login = z.infer<typeof Login>
export const NewPassword = z.object({ password: Password })
export type NewPassword = z.infer<typeof NewPassword>

export const roles = ['customer', 'packer', 'admin'] as const
export type Role = (typeof roles)[number]

/**
 * The caller of this request, as stored in the database. `_id` is the user's id, never the e-mail.
 */
export type Caller = {
  _id: string
  email: string
  name: string
  role: Role
  emailVerified: boolean
  /** The name of the API key, if the user's program makes the request. */
  apiKey?: string
}

export const ListedUser = z
  .strictObject({
    _id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    emailVerified: z.boolean(),
    createdAt: z.iso.datetime(),
    blockedAt: z.iso
      .datetime()
      .nullable()
      .describe('When an admin blocked the account; null while it is open.'),
  })
  .describe('A user as admins see one.')
export type ListedUser = z.infer<typeof ListedUser>

/** POST /user/{id}/block. */
export const Block = Reason.extend({ hideReviews: z.boolean().default(false) }).meta({
  examples: [{ reason: 'Books and never pays.', hideReviews: true }],
})
export type Block = z.infer<typeof Block>

/** PUT /user/{email}. Only the ID token identifies the user. */
export const Exchange = z
  .object({ email: Email, idToken: z.string().max(8192).optional() })
  .meta({ examples: [{ email: 'ada@example.com', idToken: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln' }] })
export const Exchanged = z.strictObject({ acknowledged: z.literal(true), token: z.string() })
export const AdminAnswer = z.strictObject({
  admin: z.boolean(),
  packer: z.literal(true).optional().describe('Whether it belongs to a packer.'),
})

/** Admin rights need the role and a verified e-mail. */
export function isAdmin(caller: Pick<Caller, 'role' | 'emailVerified'>): boolean {
  return caller.role === 'admin' && caller.emailVerified
}

/** Whether the caller may pack and ship orders: packers and admins, with a verified e-mail. */
export function isPacker(caller: Pick<Caller, 'role' | 'emailVerified'>): boolean {
  return caller.role !== 'customer' && caller.emailVerified
}

/** Whether the caller may see or change data of that user. */
export function ownsOrAdmin(caller: Caller, ownerId: string): boolean {
  return caller._id === ownerId || isAdmin(caller)
}
