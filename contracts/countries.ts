/** Countries by their ISO 3166-1 codes of two letters. */
import { iso31661 } from 'iso-3166'
import { countryName } from './country-name.ts'

export const countryCodes: string[] = iso31661.map(({ alpha2 }) => alpha2)

/** Every country, by its name: code → name. */
export const countryChoices = (): Record<string, string> =>
  Object.fromEntries(
    countryCodes
      .map((code): [string, string] => [code, countryName(code)])
      .sort(([, a], [, b]) => a.localeCompare(b, 'en')),
  )
