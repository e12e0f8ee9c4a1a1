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

/** Whether addresses in a country name a state, province or region. */
export const namesRegion = (country: string): boolean =>
  formatAddress({ postalCountry: country, administrativeArea: 'region' }, 'latin')
    .join()
    .includes('region')
