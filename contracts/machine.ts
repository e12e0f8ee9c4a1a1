/** The PC that a customer has: what the shop shipped, and parts from elsewhere. */
import { z } from 'zod'
import { Id } from './api.ts'
import { quantityLimit } from './catalogue.ts'
import { type FieldRef, fitFields, kindOf } from './fit-fields.ts'
import { SpecField, Specs } from './kinds.ts'
import { line } from './line.ts'

/** The most parts of a customer's machine. `add_to_machine` in the database has the same limit. */
export const maxMachineParts = 40

/** The kinds that rules of fit know, by their slugs. `add_to_machine` knows the same. */
export const ruleKinds = [...new Set((Object.keys(fitFields) as FieldRef[]).map(kindOf))]

const Quantity = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(quantityLimit, `must be at most ${quantityLimit}`)

/** GET /me/machine. */
export const MachinePart = z
  .strictObject({
    _id: Id,
    name: z.string(),
    number: z.int().nullable().describe('Of a part of the catalogue, in the address of its page.'),
    fit: z
      .strictObject({ kind: z.string(), specs: Specs })
      .nullable()
      .describe('What rules of fit read of it; null of a kind that they do not know.'),
    quantity: z.int(),
    isBought: z.boolean().describe('Whether it came with an order.'),
    isByFields: z.boolean().describe('Whether its customer entered it by its fields.'),
  })
  .describe('A part of the machine.')
export type MachinePart = z.infer<typeof MachinePart>

/** POST /me/machine. */
export const NewMachinePart = z
  .strictObject({
    number: z.int('must be the number of a part').min(1).max(999_999_999).optional(),
    kind: z.enum(ruleKinds, `Kind is one of: ${ruleKinds.join(', ')}`).optional(),
    name: line('Name', 100, 1).optional(),
    specs: Specs.optional().describe('By the keys of `GET /me/machine/fields`.'),
    quantity: Quantity.default(1),
  })
  .refine(
    ({ number, kind, name, specs }) =>
      number === undefined ? kind && name : !kind && !name && !specs,
    'A part has either a number of the catalogue, or a kind and a name',
  )
  .describe(
    'A part of the catalogue by its number, or any other by kind, name and what rules of fit read of it. A number that was added before gets the new quantity.',
  )
  .meta({ examples: [{ number: 1, quantity: 1 }] })
export type NewMachinePart = z.infer<typeof NewMachinePart>
/** One that is not of the catalogue. */
export type PartByFields = { kind: string; name: string; specs: Specs; quantity: number }

/** PUT /me/machine/{id}. */
export const MachineChange = z
  .strictObject({
    quantity: Quantity.optional(),
    name: line('Name', 100, 1).optional(),
    specs: Specs.optional().describe('All of them: what is left out is not known.'),
  })
  .refine((change) => Object.keys(change).length > 0, 'Nothing to change')
  .describe('Name and specs change only of a part that was entered by its fields.')
  .meta({ examples: [{ quantity: 2 }] })
export type MachineChange = z.infer<typeof MachineChange>

/** GET /me/machine/fields. */
export const MachineKind = z
  .strictObject({ kind: z.enum(ruleKinds), fields: z.array(SpecField) })
  .describe('A kind that rules of fit know, with the fields that they read.')
export type MachineKind = z.infer<typeof MachineKind>

/** In 'Export my data'. */
export const OwnMachinePart = z.strictObject({
  name: z.string(),
  quantity: z.int(),
  kind: z.string().nullable().describe('Of a part that was entered by its fields, with `specs`.'),
  specs: Specs.nullable(),
})
