/** Regions of countries as addresses name them, by their codes of ISO 3166-2. Used by the server. */
import { iso31661, iso31662 } from 'iso-3166'
import { namesRegion } from './address-lines.ts'
import type { Region } from './addresses.ts'
import { countryName } from './country-name.ts'

/**
 * The regions of a country: its states, or the provinces of its regions, by name. None where
 * addresses name no region.
 */
export function regionsOf(country: string): Region[] {
  if (!namesRegion(country)) return []
  const all = iso31662.filter(({ code }) => code.startsWith(`${country}-`))
  const parents = new Set(all.map(({ parent }) => parent))
  return all
    .filter(({ code }) => !parents.has(code))
    .map(({ code, name }) => ({ code, name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

const countries = iso31661.map(({ alpha2: code }) => ({ code, name: countryName(code) }))
const regions = countries.flatMap(({ code }) => regionsOf(code))
const codes = new Set([...countries, ...regions].map(({ code }) => code))
const byName = new Map(
  // a country wins over a region of its name, like Georgia
  [...regions, ...countries].map(({ code, name }) => [name.toLowerCase(), code]),
)
const others: Record<string, string> = { usa: 'US', uk: 'GB', 'great britain': 'GB' }

/**
 * The code of a country or region that an address can have, from its code or its English name.
 * @returns null for anything else
 */
export function regionCode(typed: string): string | null {
  const words = typed.trim().toLowerCase()
  const code = words.toUpperCase()
  return codes.has(code) ? code : (byName.get(words) ?? others[words] ?? null)
}

/** What people call a region: 'Washington, United States'. */
export function regionName(code: string): string {
  const country = countryName(code.slice(0, 2))
  const region = regions.find((each) => each.code === code)
  return region ? `${region.name}, ${country}` : country
}
