import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { addressWords } from '#contracts/address-lines.ts'
import type { Address } from '#contracts/addresses.ts'
import { countryName } from '#contracts/country-name.ts'
import { regionName, regionsOf } from '#contracts/regions.ts'
import { AppError } from '#server/errors.ts'
import { isPostcodeIn } from './postcodes.ts'

function regionProblem({ country, region }: Address): string | undefined {
  if (!region) return undefined
  const isKnown = regionsOf(country).some(({ code }) => code === region)
  return isKnown ? undefined : `This is no region of ${countryName(country)}`
}

function postcodeProblem({ country, region, postcode }: Address): string | undefined {
  if (!postcode || !postcodeValidatorExistsForCountry(country)) return undefined
  const name = addressWords(country).postcode.replace(/^P/, 'p')
  if (!postcodeValidator(postcode, country)) return `This is no ${name} of ${countryName(country)}`
  return isPostcodeIn(postcode, region) ? undefined : `This ${name} is not in ${regionName(region)}`
}

/**
 * Says which region or postcode of a complete address does not exist: field → message; empty if it
 * can be used.
 */
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
