/** Postal addresses of customers. */
import { z } from 'zod'
import { addressWords, namesPostcode, needsRegion } from './address-lines.ts'
import { exampleId, Id } from './api.ts'
import { countryCodes } from './countries.ts'
import { line, lineWithoutLink } from './line.ts'
import { StoredAddress } from './stored-address.ts'

/** The most characters of a line, which fit on a carrier's label. */
const labelWidth = 60

/** A line of a label: without characters that break it, turn its direction, or are not seen. */
const printed = (label: string, min: 0 | 1 = 0) =>
  lineWithoutLink(label, labelWidth, min)
    .regex(/^[^\u2028-\u202e\u2066-\u2069]*$/u, `${label} cannot contain control characters`)
    .regex(/^$|[\p{L}\p{N}]/u, `${label} needs a letter or a digit`)

const fields = z.strictObject({
  name: printed('Name', 1),
  company: printed('Company'),
  line1: printed('Street and number', 1),
  line2: printed('Apartment, floor'),
  city: printed('City', 1),
  region: z
    .string('State or region is required')
    .trim()
    .toUpperCase()
    .regex(/^$|^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be a code of ISO 3166-2, like US-WA')
    .describe('A code of ISO 3166-2; empty in countries without regions in addresses.'),
  postcode: line('Postcode', 12).toUpperCase(),
  country: z.enum(countryCodes, 'Country must be a code of ISO 3166-1, like US'),
})
type Fields = z.infer<typeof fields>

/** A field that some countries need: said while other fields are wrong, too. */
const required = (
  name: 'region' | 'postcode',
  isNeeded: (country: string) => boolean,
): [(address: Fields) => boolean, Parameters<typeof fields.refine>[1]] => [
  (address) => address[name] !== '' || !isNeeded(address.country),
  {
    path: [name],
    when: ({ value }) => fields.shape.country.safeParse((value as Fields | null)?.country).success,
    error: ({ input }) => `${addressWords((input as Fields).country)[name]} is required`,
  },
]

export const exampleAddress = {
  name: 'Ann Ada',
  company: '',
  line1: '400 Broad St',
  line2: '',
  city: 'Seattle',
  region: 'US-WA',
  postcode: '98109',
  country: 'US',
}

/**
 * An address as its country writes it. The server also checks whether region and postcode exist, so
 * that a parcel can be sent there.
 */
export const Address = fields
  .refine(...required('region', needsRegion))
  .refine(...required('postcode', namesPostcode))
  .describe('A postal address. `country` and `region` are codes of ISO 3166.')
  .meta({
    examples: [exampleAddress],
  })
export type Address = z.infer<typeof Address>

export const emptyAddress: Address = {
  name: '',
  company: '',
  line1: '',
  line2: '',
  city: '',
  region: '',
  postcode: '',
  country: '',
}

/**
 * What remains of an address when its account is deleted: where the goods went, for the shop's
 * taxes.
 */
export const anonymousAddress = ({ region, country }: Address, name: string): Address => ({
  ...emptyAddress,
  name,
  region,
  country,
})

/** GET /regions/{country}. */
export const RegionParams = z.strictObject({ country: z.enum(countryCodes) })
export const Region = z.strictObject({ code: z.string(), name: z.string() })
export type Region = z.infer<typeof Region>

/** POST /addresses and PUT /addresses/{id}. */
export const AddressEdit = z
  .strictObject({ address: Address, isDefault: z.boolean().default(false) })
  .meta({
    examples: [
      {
        address: {
          name: 'Ann Ada',
          company: '',
          line1: 'Stephansplatz 1',
          line2: '',
          city: 'Wien',
          region: '',
          postcode: '1010',
          country: 'AT',
        },
        isDefault: true,
      },
    ],
  })
export type AddressEdit = z.infer<typeof AddressEdit>

export const KeptAddress = z
  .strictObject({ _id: Id, address: StoredAddress, isDefault: z.boolean() })
  .describe('An address that the caller keeps for orders.')
  .meta({ examples: [{ _id: exampleId }] })
export type KeptAddress = z.infer<typeof KeptAddress>

/** POST /checkout/{id}/address. */
export const LateAddress = z.strictObject({ address: Address }).meta({
  examples: [{ address: exampleAddress }],
})

/** PUT /checkout/{id}/address: what does not change the price of the delivery. */
export const AddressCorrection = fields
  .pick({ name: true, company: true, line1: true, line2: true })
  .meta({
    examples: [{ name: 'Ann Ada', company: 'Ada Ltd', line1: '402 Broad St', line2: '' }],
  })
export type AddressCorrection = z.infer<typeof AddressCorrection>
