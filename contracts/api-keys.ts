/** API keys of admins. The owner's programs call the API with them. */
import { z } from 'zod'
import { Id } from './api.ts'
import { legible } from './users.ts'

/**
 * The scopes that a key can have. A call that accepts keys declares its scope; all other calls
 * reject keys.
 */
export const keyScopes = {
  'orders:read': 'Read orders',
  'orders:ship': 'Mark orders as shipped',
  'payments:read': 'Read payments',
  'parts:read': 'Read parts, stock and deliveries',
  'parts:write': 'Add and change parts, stock and deliveries',
} as const
export type KeyScope = keyof typeof keyScopes
export const scopeNames = Object.keys(keyScopes) as [KeyScope, ...KeyScope[]]

/** Secret scanners recognise leaked keys by this prefix. */
export const keyPrefix = 'ferrite_'
/** The most keys that one admin can have. */
export const keysLimit = 20
/** The longest validity of a key, in days. */
export const keyDays = 365

const dayMs = 86_400_000
/** The latest day that a key made now can end on. */
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
