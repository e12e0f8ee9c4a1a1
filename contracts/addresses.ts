/** Postal addresses of customers. */
import { z } from 'zod'
import { exampleId, Id } from './api.ts'
import { countryCodes } from './countries.ts'
import { line } from './line.ts'
import { StoredAddress } from './stored-address.ts'

/**
 * An address as its country writes it. The server checks region and postcode by the country, so
 * that a parcel can be sent there. The longest of each field fit on a carrier's label.
 */
export const Address = z
  .strictObject({
    name: line('Name', 60, 1),
    company: line('Company', 60),
    line1: line('Street and number', 60, 1),
    line2: line('Apartment, floor', 60),
    city: line('City', 60, 1),
    region: z
      .string('State or region is required')
      .trim()
      .toUpperCase()
      .regex(/^$|^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be a code of ISO 3166-2, like US-WA')
      .describe('A code of ISO 3166-2; empty in countries without regions in addresses.'),
    postcode: line('Postcode', 12).toUpperCase(),
    country: z.enum(countryCodes, 'Country must be a code of ISO 3166-1, like US'),
  })
  .describe('A postal address. `country` and `region` are codes of ISO 3166.')
  .meta({
    examples: [
      {
        name: 'Ann Ada',
        company: '',
        line1: '400 Broad St',
        line2: '',
        city: 'Seattle',
        region: 'US-WA',
        postcode: '98109',
        country: 'US',
      },
    ],
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
