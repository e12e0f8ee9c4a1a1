/**
 * A visitor's basket as text: `12,15x2` is one unit of part 12 and two of part 15. Its address, the
 * browser and the account use this form. Imports no schema library, so that pages with parts stay
 * small.
 */
import { isBookable, quantityLimit, type Stock } from './catalogue.ts'
import { sumOf, totalPriceOf } from './money.ts'
import { weightOf } from './shipping-rules.ts'

export type BasketLine = { number: number; quantity: number }

/** The most parts of a basket, and of a checkout. */
export const maxLines = 20
/** The longest text of a basket. */
export const basketLimit = 400

const line = /^(\d{1,9})(?:x(\d{1,6}))?$/

/** Reads a basket. Skips invalid lines, a part's second line, and lines beyond `maxLines`. */
export function basketIn(text: string): BasketLine[] {
  const lines = new Map<number, BasketLine>()
  for (const each of text.slice(0, basketLimit).split(',')) {
    const [, number, quantity = '1'] = line.exec(each) ?? []
    if (!number || lines.has(Number(number)) || lines.size === maxLines) continue
    const units = Math.min(quantityLimit, Math.max(1, Number(quantity)))
    lines.set(Number(number), { number: Number(number), quantity: units })
  }
  return [...lines.values()]
}

export const basketText = (lines: readonly BasketLine[]): string =>
  lines.map(({ number, quantity }) => (quantity === 1 ? number : `${number}x${quantity}`)).join(',')

/** The address that shows these lines. */
export const basketPath = (lines: readonly BasketLine[]): string =>
  lines.length === 0 ? '/basket' : `/basket?parts=${basketText(lines)}`

/** In the address of a list: its parts are for a build that has none yet. */
export const newBuild = 'new'

/** The address that shows these lines as one PC. */
export const buildPath = (lines: readonly BasketLine[]): string =>
  lines.length === 0 ? '/build' : `/build?parts=${basketText(lines)}`

/** The address of a kind's list, with what fits these lines. */
export const choicesPath = (slug: string, lines: readonly BasketLine[]): string =>
  `/parts/${encodeURIComponent(slug)}?fits=${lines.length > 0 ? `${encodeURIComponent(basketText(lines))}&only=fits` : newBuild}`

/** A basket with one more line; a part in it stays as it is. Null when it is full. */
export function withLine<L extends BasketLine>(lines: readonly L[], added: L): L[] | null {
  if (lines.some(({ number }) => number === added.number)) return [...lines]
  return lines.length < maxLines ? [...lines, added] : null
}

/** A basket with these lines too, as far as they fit. */
export const withLines = <L extends BasketLine>(lines: readonly L[], added: readonly L[]): L[] =>
  added.reduce((all, line) => withLine(all, line) ?? all, [...lines])

/** A basket with another quantity of one part; 0 removes the part. */
export const withQuantity = (
  lines: readonly BasketLine[],
  number: number,
  quantity: number,
): BasketLine[] =>
  lines.flatMap((line) => {
    if (line.number !== number) return [{ number: line.number, quantity: line.quantity }]
    return quantity > 0 ? [{ number, quantity }] : []
  })

type Wanted<Part> = { part: Part | null | undefined; quantity: number }

/** The lines that can be booked: a part that is sold out costs and weighs nothing. */
const bookable = <Part extends Stock>(lines: readonly Wanted<Part>[]) =>
  lines.flatMap(({ part, quantity }) => (part && isBookable(part) ? [{ part, quantity }] : []))

/** The total of the lines that can be booked. */
export const basketTotal = (lines: readonly Wanted<Stock & { price: number }>[]): number =>
  sumOf(bookable(lines).map(({ part, quantity }) => totalPriceOf(quantity, part.price)))

/**
 * The weight of the lines that can be booked, in grams.
 * @param unknownG that of a unit whose `weightG` is 0
 */
export const basketWeight = (
  lines: readonly Wanted<Stock & { weightG: number }>[],
  unknownG: number,
): number =>
  weightOf(
    bookable(lines).map(({ part: { weightG }, quantity }) => ({ weightG, quantity })),
    unknownG,
  )
