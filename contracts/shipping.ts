/** How orders reach their customers: the owner's methods, and what a checkout chose. */
import { z } from 'zod'
import { Address, exampleAddress } from './addresses.ts'
import { Amount, amountRule } from './amount.ts'
import { exampleId, Id, Version } from './api.ts'
import { BasketQuery } from './compare.ts'
import { line, lineWithoutLink } from './line.ts'
import { readAmount, typedAmount } from './money.ts'
import { methodTypes, type ShippingStep } from './shipping-rules.ts'
import { StoredAddress } from './stored-address.ts'
import { taxModes } from './tax.ts'

export { methodTypes }

/** The most methods that a shop has. */
export const maxMethods = 20

const days = (label: string) =>
  z
    .int(`${label} must be a whole number of days`)
    .min(0, `${label} must be 0 or more`)
    .max(90, `${label} must be 90 or less`)

const step = z.strictObject({
  upToG: z
    .int('Prices by weight must be lines of whole grams and a price, like 1000 g 4.90')
    .min(1, 'Prices by weight must be for 1 g or more')
    .max(1_000_000, 'Prices by weight must be for 1000000 g or less')
    .describe('The heaviest parcel of the step, in grams.'),
  price: amountRule('Prices by weight: the price', 0),
})

/** The most steps of a method. */
const maxSteps = 10

const method = z.strictObject({
  name: line('Name', 60, 1),
  type: z.enum(methodTypes),
  price: amountRule('Price', 0),
  freeFrom: amountRule('Free from', 0.01)
    .nullable()
    .describe('The total of the goods from which it costs nothing.'),
  regions: z
    .array(line('Delivers to: each country or region', 60, 1))
    .max(300, 'Delivers to can have at most 300 countries and regions')
    .describe('Countries and regions, by their codes of ISO 3166 or by their names.'),
  daysFrom: days('Fewest working days').describe('Working days after dispatch.'),
  daysTo: days('Most working days'),
  steps: z
    .array(step)
    .max(maxSteps, `Prices by weight can have at most ${maxSteps} lines`)
    .refine((all) => all.every(({ upToG }, i) => i === 0 || upToG > (all[i - 1]?.upToG ?? 0)), {
      message: 'Prices by weight must start with the lightest parcel and list each weight once',
    })
    .default([])
    .describe(
      'What it costs by the weight of the goods: the cheapest step that holds it, else `price`.',
    ),
})
type Method = z.infer<typeof method>

const checked = <T extends Method, Typed>(schema: z.ZodType<T, Typed>) =>
  schema
    .refine(({ daysFrom, daysTo }) => daysFrom <= daysTo, {
      path: ['daysTo'],
      message: 'Most working days must not be less than the fewest',
    })
    .refine(({ type, regions }) => (type === 'ship') === regions.length > 0, {
      path: ['regions'],
      message: 'Delivers to must name a country or region, unless it’s a pick-up',
    })
    .refine(({ type, steps }) => type === 'ship' || steps.length === 0, {
      path: ['steps'],
      message: 'Prices by weight are for deliveries, not pick-ups',
    })

const example = {
  name: 'Parcel',
  type: 'ship' as const,
  price: 9,
  freeFrom: 500,
  regions: ['US', 'CA'],
  daysFrom: 2,
  daysTo: 4,
  steps: [{ upToG: 1000, price: 5 }],
}

/** POST /shipping-methods. */
export const MethodFields = checked(method).meta({ examples: [example] })
export type MethodFields = z.infer<typeof MethodFields>

/** PUT /shipping-methods/{id}: `version` is that of the method as it was read. */
export const MethodEdit = checked(method.extend({ version: Version })).meta({
  examples: [{ ...example, version: 1 }],
})
export type MethodEdit = z.infer<typeof MethodEdit>

export const ShippingMethod = z
  .strictObject({
    _id: Id,
    version: Version,
    name: z.string(),
    type: z.enum(methodTypes),
    price: Amount,
    freeFrom: Amount.nullable(),
    regions: z.array(z.string()).describe('Codes of ISO 3166.'),
    daysFrom: z.int(),
    daysTo: z.int(),
    steps: z
      .array(z.strictObject({ upToG: z.int(), price: Amount }))
      .describe('What it costs up to so many grams, the lightest first; above them `price`.'),
  })
  .describe('A way in which the shop delivers. Days are working days after dispatch.')
export type ShippingMethod = z.infer<typeof ShippingMethod>

/** A method as an unpaid checkout, or a visitor, can choose it now. */
export const OfferedMethod = ShippingMethod.extend({
  cost: Amount.describe('Of these goods.'),
  by: z.iso.date().nullable().describe('The last day on which it arrives; null for a pick-up.'),
})
export type OfferedMethod = z.infer<typeof OfferedMethod>

/** GET /shipping-methods. */
export const MethodsQuery = z.object({
  parts: BasketQuery.shape.parts
    .optional()
    .describe('As in `GET /basket`. Each method then has `cost` and `by`.'),
})
export const ListedMethod = OfferedMethod.partial({ cost: true, by: true })
export type ListedMethod = z.infer<typeof ListedMethod>

/** What prices by weight look like as text: a step per line, '1000 g 4.90'. */
export const stepsText = (steps: readonly ShippingStep[]): string =>
  steps.map(({ upToG, price }) => `${upToG} g ${typedAmount(price)}`).join('\n')

/** Reads such lines; what cannot be read becomes NaN, which the schema refuses. */
export const readSteps = (text: string): ShippingStep[] =>
  text
    .split('\n')
    .filter((typed) => typed.trim() !== '')
    .map((typed) => {
      const [, grams = '', price = ''] = /^\s*(\d{1,9})\s*g?\s+(\S+)\s*$/i.exec(typed) ?? []
      return { upToG: grams ? Number(grams) : Number.NaN, price: readAmount(price) }
    })

const buyerTaxNumber = lineWithoutLink('Tax number', 30)

/** PUT /checkout/{id}/shipping. */
export const ShippingChoice = z
  .strictObject({
    methodId: Id,
    address: Address.optional().describe('Where to; not needed for a pick-up.'),
    billing: Address.nullable().optional().describe('The invoice’s address, if it is another.'),
    taxNumber: buyerTaxNumber.optional().describe('The buyer’s, for the invoice.'),
  })
  .meta({
    examples: [
      {
        methodId: exampleId,
        address: exampleAddress,
      },
    ],
  })
export type ShippingChoice = z.infer<typeof ShippingChoice>

/** What a checkout chose, and what that adds to the price of its goods. */
export const Shipping = z
  .strictObject({
    methodId: Id.nullable().describe('Null when the owner deleted the method since.'),
    method: z.string().nullable().describe('Null: none was chosen.'),
    type: z.enum(methodTypes).nullable(),
    daysFrom: z.int().nullable(),
    daysTo: z.int().nullable(),
    shipTo: StoredAddress.nullable(),
    billTo: StoredAddress.nullable().describe('Null: that of the parcel.'),
    taxNumber: z.string(),
    price: Amount.describe('Without a tax that is added.'),
    by: z.iso
      .date()
      .nullable()
      .describe('The last day on which a parcel arrives that was paid, or is paid now.'),
    paid: Amount.describe('With its tax.'),
    refunded: Amount.describe('Of that.'),
    taxMode: z
      .enum(taxModes)
      .nullable()
      .describe('Null until an address is chosen or the payment begins.'),
    taxName: z.string(),
    taxRate: z.int().describe('In thousandths of a per cent: 8.875 % is 8875.'),
    tax: Amount.describe('All tax of the checkout, added or included.'),
  })
  .describe('How a checkout reaches its customer.')
export type Shipping = z.infer<typeof Shipping>
