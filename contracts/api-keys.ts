/** API keys of admins, with which an owner's programs call the shop. */
import { z } from 'zod'
import { Id } from './api.ts'
import { legible } from './users.ts'

/** What a key may be allowed to do. Each call that a key may make names its scope; all other calls refuse keys. */
export const keyScopes = {
  'orders:read': 'Read orders',
  'orders:ship': 'Mark orders as shipped',
  'payments:read': 'Read payments',
  'parts:read': 'Read parts, stock and deliveries',
  'parts:write': 'Add and change parts, stock and deliveries',
} as const
export type KeyScope = keyof typeof keyScopes
export const scopeNames = Object.keys(keyScopes) as [KeyScope, ...KeyScope[]]

/** Scanners for leaked secrets find keys by it. */
export const keyPrefix = 'ferrite_'
/** Keys of one admin. */
export const keysLimit = 20
/** The longest that a key is valid. */
export const keyDays = 365

const dayMs = 86_400_000
/** The last day on which a key that is made now can be valid, and the first. */
export const lastKeyDay = (now = new Date()) =>
  new Date(now.getTime() + keyDays * dayMs).toISOString().slice(0, 10)
const today = () => new Date().toISOString().slice(0, 10)

/** POST /key. */
export const NewKey = z
  .object({
    name: z
      .string('Name is required')
      .trim()
      .min(1, 'Name is required')
      .max(60, 'Name must not be longer than 60 characters')
      .regex(legible, 'Name must not contain line breaks'),
    scopes: z
      .array(z.enum(scopeNames), 'Choose what the key may do')
      .min(1, 'Choose what the key may do')
      .max(scopeNames.length)
      .transform((scopes) => [...new Set(scopes)]),
    endsOn: z.iso
      .date('Choose the last day of the key')
      .refine((day) => day >= today(), 'The last day must not have passed')
      .refine((day) => day <= lastKeyDay(), 'The last day must be within a year')
      .describe('The last day on which the key is valid, in UTC: at most a year from now.'),
  })
  .meta({
    examples: [{ name: 'Warehouse', scopes: ['orders:read', 'orders:ship'], endsOn: lastKeyDay() }],
  })
export type NewKey = z.infer<typeof NewKey>

export const MadeKey = z.strictObject({
  acknowledged: z.literal(true),
  insertedId: Id,
  key: z.string().describe('Shown once.'),
})
export type MadeKey = z.infer<typeof MadeKey>

export const ApiKey = z
  .strictObject({
    _id: Id,
    name: z.string(),
    start: z.string().describe('The first characters of the key.'),
    owner: z.string().describe('The admin for whom the key acts.'),
    scopes: z.array(z.enum(scopeNames)),
    createdAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('To the minute.'),
  })
  .describe('An API key, without the key itself.')
export type ApiKey = z.infer<typeof ApiKey>
