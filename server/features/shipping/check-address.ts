import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import type { Address } from '#contracts/addresses.ts'
import { countryName } from '#contracts/country-name.ts'
import { regionName, regionsOf } from '#contracts/regions.ts'
import { AppError } from '#server/errors.ts'
import { isPostcodeIn } from './postcodes.ts'

/** Countries whose post does not find an address without its state. */
const needState = new Set(['AU', 'CA', 'US'])

function regionProblem({ country, region }: Address): string | undefined {
  if (!region) return needState.has(country) ? 'State or region is required' : undefined
  const isKnown = regionsOf(country).some(({ code }) => code === region)
  return isKnown ? undefined : `This is no region of ${countryName(country)}`
}

function postcodeProblem({ country, region, postcode }: Address): string | undefined {
  if (!postcodeValidatorExistsForCountry(country)) return undefined
  if (!postcode) return 'Postcode is required'
  if (!postcodeValidator(postcode, country)) return `This is no postcode of ${countryName(country)}`
  return isPostcodeIn(postcode, region)
    ? undefined
    : `This postcode is not in ${regionName(region)}`
}

/** Says what is wrong with an address: field → message; empty if it can be used. */
function addressProblems(address: Address): Partial<Record<keyof Address, string>> {
  const problems = { region: regionProblem(address), postcode: postcodeProblem(address) }
  return Object.fromEntries(Object.entries(problems).filter(([, why]) => why))
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
  throw new AppError('INVALID', `The address is not complete: ${first[1]}`, fields)
}
