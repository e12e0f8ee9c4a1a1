/** The countries of the European Union, by their codes of ISO 3166-1. */
const members =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/** Whether a country is in the EU. @param country a code, or empty */
export const isInEu = (country: string): boolean => members.includes(country)
