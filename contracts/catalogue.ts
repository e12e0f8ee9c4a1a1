/**
 * What every page with parts needs. Imports no schema library, so that the home page stays small.
 */

export type Stock = { availableQuantity: number; minimumOrderQuantity: number }

/** The most units of one order, and the most units of one part in stock. */
export const quantityLimit = 100_000
export const stockLimit = 1_000_000

/** Whether enough units are available for the part's minimum order. */
export function isBookable({ availableQuantity, minimumOrderQuantity }: Stock): boolean {
  return availableQuantity >= minimumOrderQuantity
}

/** A part is low when its stock covers at most this many minimum orders. */
export const lowBookings = 5

/** Whether the part can be booked, but only a few more times. */
export function isLow(stock: Stock): boolean {
  return isBookable(stock) && stock.availableQuantity <= lowBookings * stock.minimumOrderQuantity
}

/** The shop stores an uploaded picture in these widths, in pixels, and in both formats. */
export const pictureWidths = [480, 960, 1600] as const
export const pictureFormats = ['webp', 'avif'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** Every picture has a WebP of this width. A part's `image` is the address of that file. */
export const shownWidth: number = 960

/**
 * The name of one file of a picture: `0f…9c-960.webp`. The id is random, so no two pictures share a
 * name.
 */
const fileName = /^([0-9a-f]{24})-(\d{2,4})\.(webp|avif)$/

/** Parses a file name; null when it is not a picture of this shop. */
export function readPictureName(name: string) {
  const [, id, width, format] = fileName.exec(name) ?? []
  return id && width && format
    ? { id, width: Number(width), format: format as PictureFormat }
    : null
}

const folder = '/images/'

/** The address of one file of a picture; by default, the address that identifies the picture. */
export const pictureAddress = (id: string, width = shownWidth, format: PictureFormat = 'webp') =>
  `${folder}${id}-${width}.${format}`

/**
 * The prefix of the ids of the shop's own drawings (`drawings.ts`). Random ids of uploads do not
 * start with it.
 */
export const drawingIdStart = 'd'.repeat(20)

/**
 * The address of a drawing's SVG, for screens: a tenth of the size of its WebP, and sharp at every
 * size. Null for other pictures.
 */
export const drawnAddress = (id: string) =>
  id.startsWith(drawingIdStart) ? `${folder}${id}.svg` : null

/**
 * The id of the picture with this address, or null when the address is not that of a picture in
 * this shop.
 */
export function pictureIdOf(address: string): string | null {
  const id = readPictureName(address.slice(folder.length))?.id
  return id && address === pictureAddress(id) ? id : null
}

/**
 * The alternative text of a part's first picture: the owner's text, else the part's name and kind.
 */
export const altOf = (part: { imageAlt?: string; name: string; kind: string }) =>
  part.imageAlt || `${part.name}, ${part.kind}`

/** The number of public reviews and the sum of their stars. */
type Rating = { ratingCount: number; ratingSum: number }

/** The mean rating as every screen shows it: "4.5". */
export const meanOf = ({ ratingCount, ratingSum }: Rating): string =>
  (ratingSum / ratingCount).toFixed(1)

/** The most parts in one comparison. A fifth part replaces another. */
export const maxCompared = 4

/**
 * `1042,1050`: the part numbers in an address, without duplicates. Undefined when there are none,
 * too many or invalid ones.
 */
export const numbersIn = (text: string): number[] | undefined => {
  const numbers = [...new Set(text.split(',').filter(Boolean).map(Number))]
  const isRight = numbers.every((each) => Number.isInteger(each) && each > 0 && each < 1e9)
  return isRight && numbers.length > 0 && numbers.length <= maxCompared ? numbers : undefined
}
