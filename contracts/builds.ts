/** PCs that are kept by a name: a customer's own, and those that the owner offers as a start. */
import { z } from 'zod'
import { AccountBasket } from './account.ts'
import { Amount } from './amount.ts'
import { Id } from './api.ts'
import { line } from './line.ts'

/** The most builds of a customer, and of the shop. */
export const maxBuilds = 20

/** POST /me/builds and POST /builds. */
export const NewBuild = z
  .strictObject({
    name: line('Name', 60, 1),
    parts: AccountBasket.shape.parts.min(1, 'Choose a part first'),
  })
  .describe('A build of the same name is replaced.')
  .meta({ examples: [{ name: 'Quiet office', parts: '1,2x3' }] })
export type NewBuild = z.infer<typeof NewBuild>

/** GET /me/builds and GET /builds. */
export const Build = z
  .strictObject({
    _id: Id,
    name: z.string(),
    parts: z.string().describe('As in a basket’s address.'),
    total: Amount.describe('Of what can be booked now.'),
    gone: z.array(z.string()).describe('The names of parts that are no longer sold.'),
    soldOut: z.array(z.string()).describe('The names of parts that are too few for it now.'),
  })
  .describe('A build, as it could be booked now.')
export type Build = z.infer<typeof Build>
