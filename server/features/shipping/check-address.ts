import { iso31662 } from 'iso-3166'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import type { Address, Region } from '#contracts/addresses.ts'
import { countryChoices } from '#contracts/countries.ts'
import { countryName } from '#contracts/country-name.ts'
import { AppError } from '#server/errors.ts'

/** Countries whose post does not find an address without its state. */
const needState = new Set(['AU', 'CA', 'US'])

/**
 * The regions of a country that an address names: its states, or the provinces of its regions.
 * By name.
 */
export function regionsOf(country: string): Region[] {
  const all = iso31662.filter(({ code }) => code.startsWith(`${country}-`))
  const parents = new Set(all.map(({ parent }) => parent))
  return all
    .filter(({ code }) => !parents.has(code))
    .map(({ code, name }) => ({ code, name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Says what is wrong with an address: field → message; empty if it can be used. */
export function addressProblems(address: Address): Partial<Record<keyof Address, string>> {
  const { country, region, postcode } = address
  const name = countryName(country)
  const regions = regionsOf(country)
  const problems: Partial<Record<keyof Address, string>> = {}
  if (region && !regions.some(({ code }) => code === region))
    problems.region = `is not a region of ${name}`
  if (!region && needState.has(country)) problems.region = 'State is required'
  if (!postcodeValidatorExistsForCountry(country)) return problems
  if (!postcode) problems.postcode = 'Postcode is required'
  else if (!postcodeValidator(postcode, country)) problems.postcode = `is not a postcode of ${name}`
  return problems
}

/**
 * @param prefix of the fields in the refusal
 * @throws AppError INVALID, naming each field
 */
export function checkAddress(address: Address, prefix: string): void {
  const problems = Object.entries(addressProblems(address))
  const [first] = problems
  if (!first) return
  const fields = Object.fromEntries(problems.map(([name, why]) => [`${prefix}.${name}`, why]))
  throw new AppError('INVALID', `The address is not complete: ${first[0]} ${first[1]}`, fields)
}

const byName = new Map(
  [
    ...iso31662.map(({ code, name }): [string, string] => [name, code]),
    // a country wins over a region of its name, like Georgia
    ...Object.entries(countryChoices()).map(([code, name]): [string, string] => [name, code]),
  ].map(([name, code]) => [name.toLowerCase(), code]),
)
const codes = new Set(byName.values())

/**
 * The code of a country or region, from its code or its English name.
 * @returns null for anything else
 */
export function regionCode(typed: string): string | null {
  const code = typed.trim().toUpperCase()
  return codes.has(code) ? code : (byName.get(typed.trim().toLowerCase()) ?? null)
}

/** What people call a region: 'Washington, United States'. */
export function regionName(code: string): string {
  const country = countryName(code.slice(0, 2))
  const region = iso31662.find((each) => each.code === code)
  return region ? `${region.name}, ${country}` : country
}
