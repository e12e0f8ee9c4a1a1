/** Which way of delivery suits an order. Imports no schema library, for visitors' pages. */

export const methodTypes = ['ship', 'pick up'] as const
export type MethodType = (typeof methodTypes)[number]

type Delivers = { type: MethodType; regions: string[] }
/** What a parcel of at most `upToG` grams costs. */
export type ShippingStep = { upToG: number; price: number }
type Priced = { price: number; freeFrom: number | null; steps: ShippingStep[] }
type Weighed = { weightG: number; quantity: number }

/** Whether a method delivers to an address. */
export const deliversTo = (
  { type, regions }: Delivers,
  { country, region }: { country: string; region: string },
): boolean => type === 'pick up' || regions.includes(country) || regions.includes(region)

/** Whether these codes, of prices or taxes, tell regions of a country apart. */
export const tellsRegions = (codes: readonly string[], country: string): boolean =>
  country !== '' && codes.some((code) => code.startsWith(`${country}-`))

/**
 * What units weigh together, in grams.
 * @param unknownG the weight of a unit whose `weightG` is 0
 */
export const weightOf = (lines: readonly Weighed[], unknownG: number): number =>
  lines.reduce((sum, { weightG, quantity }) => sum + (weightG || unknownG) * quantity, 0)

/**
 * What a method costs: nothing from `freeFrom`, else its cheapest step that holds the weight, else
 * its price. Amounts.
 * @param goods the total of the goods
 * @param weightG the weight of the goods in grams
 */
export function shippingPrice(
  { price, freeFrom, steps }: Priced,
  goods: number,
  weightG: number,
): number {
  if (freeFrom !== null && goods >= freeFrom) return 0
  const holding = steps.filter(({ upToG }) => upToG >= weightG)
  return holding.length > 0 ? Math.min(...holding.map((step) => step.price)) : price
}

type Offer = Priced & { by: string }

/** The delivery that costs least, of these the earliest; undefined without any. */
export function cheapestOffer(
  offers: Offer[],
  goods: number,
  weightG: number,
): { cost: number; by: string } | undefined {
  const priced = offers.map((offer) => ({
    cost: shippingPrice(offer, goods, weightG),
    by: offer.by,
  }))
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
