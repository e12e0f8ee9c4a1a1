/** How a country writes an address. */
import { formatAddress } from 'localized-address-format'
import { countryName } from './country-name.ts'
import type { StoredAddress } from './stored-address.ts'

/** The lines of an address in its country's order; the country is last. */
export const linesOf = (address: StoredAddress): string[] => [
  ...formatAddress({
    postalCountry: address.country,
    name: address.name,
    organization: address.company,
    addressLines: [address.line1, address.line2].filter(Boolean),
    locality: address.city,
    administrativeArea: address.region.replace(/^..-/, ''),
    postalCode: address.postcode,
  }),
  countryName(address.country),
]

/** The address in one line, for lists and files. */
export const inOneLine = (address: StoredAddress): string => linesOf(address).join(', ')

const writes = (country: string, field: 'administrativeArea' | 'postalCode'): boolean =>
  formatAddress({ postalCountry: country, [field]: 'written' }, 'latin')
    .join()
    .includes('written')

/** Whether addresses in a country name a state, province or region. */
export const namesRegion = (country: string): boolean => writes(country, 'administrativeArea')

/** Whether addresses in a country name a postcode. */
export const namesPostcode = (country: string): boolean => writes(country, 'postalCode')

type AddressWords = { region: string; postcode: string }

/** Countries whose post does not find an address without its state, and their words for it. */
const ofStates: Record<string, AddressWords> = {
  AU: { region: 'State', postcode: 'Postcode' },
  CA: { region: 'Province', postcode: 'Postal code' },
  US: { region: 'State', postcode: 'ZIP code' },
}

/** Whether an address in a country cannot go without its region. */
export const needsRegion = (country: string): boolean => country in ofStates

/** What people in a country call the region and the postcode of an address. */
export const addressWords = (country: string): AddressWords =>
  ofStates[country] ?? { region: 'State or region', postcode: 'Postcode' }
