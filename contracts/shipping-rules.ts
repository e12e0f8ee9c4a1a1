/** Which way of delivery suits an order. Imports no schema library, for visitors' pages. */

export const methodTypes = ['ship', 'pick up'] as const
export type MethodType = (typeof methodTypes)[number]

type Delivers = { type: MethodType; regions: string[] }
type Priced = { price: number; freeFrom: number | null }

/** Whether a method delivers to an address. */
export const deliversTo = (
  { type, regions }: Delivers,
  { country, region }: { country: string; region: string },
): boolean => type === 'pick up' || regions.includes(country) || regions.includes(region)

/**
 * What a method costs. Amounts.
 * @param goods the total of the goods
 */
export const shippingPrice = ({ price, freeFrom }: Priced, goods: number): number =>
  freeFrom !== null && goods >= freeFrom ? 0 : price

type Offer = Priced & { by: string }

/** The delivery that costs least, of these the earliest; undefined without any. */
export function cheapestOffer(
  offers: Offer[],
  goods: number,
): { cost: number; by: string } | undefined {
  const priced = offers.map((offer) => ({ cost: shippingPrice(offer, goods), by: offer.by }))
  return priced.sort((a, b) => a.cost - b.cost || (a.by < b.by ? -1 : 1))[0]
}

/** The countries that methods deliver to. */
export const countriesOf = (methods: Delivers[]): string[] => [
  ...new Set(methods.flatMap(({ regions }) => regions.map((region) => region.slice(0, 2)))),
]

/** When a parcel arrives: '2 to 4 working days', counted from the day of dispatch. */
export function daysText({ daysFrom, daysTo }: { daysFrom: number; daysTo: number }): string {
  const last = `${daysTo} working ${daysTo === 1 ? 'day' : 'days'}`
  return daysFrom === daysTo ? last : `${daysFrom} to ${last}`
}
