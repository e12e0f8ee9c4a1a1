/** Countries by their ISO 3166-1 codes of two letters. */
import { iso31661 } from 'iso-3166'

export const countryCodes: string[] = iso31661.map(({ alpha2 }) => alpha2)

const names = new Intl.DisplayNames('en', { type: 'region' })

/** The English name that a country is known by; ISO's own names are those of treaties. */
export const countryName = (code: string): string => names.of(code) ?? code

/** Every country, by its name: code → name. */
export const countryChoices = (): Record<string, string> =>
  Object.fromEntries(
    countryCodes
      .map((code): [string, string] => [code, countryName(code)])
      .sort(([, a], [, b]) => a.localeCompare(b, 'en')),
  )
