// its own module: pages that name a country do not load the list of all
const names = new Intl.DisplayNames('en', { type: 'region' })

/** The English name that a country is known by; ISO's own names are those of treaties. */
export const countryName = (code: string): string => (code ? (names.of(code) ?? code) : '')
