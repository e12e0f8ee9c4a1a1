/** What every page that shows parts needs. Nothing here imports the schema library, so the home page can afford it. */

export type Stock = { availableQuantity: number; minimumOrderQuantity: number }

/** The most units of one order, and of one part in stock. */
export const quantityLimit = 100_000
export const stockLimit = 1_000_000

/** Is there enough for the smallest order that the part allows? */
export function isBookable({ availableQuantity, minimumOrderQuantity }: Stock): boolean {
  return availableQuantity >= minimumOrderQuantity
}

/** A part is low when its stock is enough for this many smallest orders at most. */
export const lowBookings = 5

/** Whether the part can be booked, but only a few more times. */
export function isLow(stock: Stock): boolean {
  return isBookable(stock) && stock.availableQuantity <= lowBookings * stock.minimumOrderQuantity
}

/** The shop stores an uploaded picture in these widths, in pixels, and in both formats. */
export const pictureWidths = [480, 960, 1600] as const
export const pictureFormats = ['webp', 'avif'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** The WebP of this width stands for the picture: `image` of a part is its address. Every picture has it. */
export const shownWidth: number = 960

/** The name of one file of a picture: `0f…9c-960.webp`. The id is random, so a name never means another picture. */
const fileName = /^([0-9a-f]{24})-(\d{2,4})\.(webp|avif)$/

/** The parts of a file name; null when it names no picture of this shop. */
export function readPictureName(name: string) {
  const [, id, width, format] = fileName.exec(name) ?? []
  return id && width && format
    ? { id, width: Number(width), format: format as PictureFormat }
    : null
}

const folder = '/images/'

/** The address of one file of a picture: by default of the one that stands for the picture. */
export const pictureAddress = (id: string, width = shownWidth, format: PictureFormat = 'webp') =>
  `${folder}${id}-${width}.${format}`

/** The prefix of the ids of the shop's own drawings (`drawings.ts`). A store's `save` makes random ids, which never have it. */
export const drawingIdStart = 'd'.repeat(20)

/** The SVG of a drawing, for screens: a tenth of its WebP's bytes, and sharp in every size. Null for other pictures. */
export const drawnAddress = (id: string) =>
  id.startsWith(drawingIdStart) ? `${folder}${id}.svg` : null

/** The id of the picture that an address stands for, or null when it stands for none of this shop. */
export function pictureIdOf(address: string): string | null {
  const id = readPictureName(address.slice(folder.length))?.id
  return id && address === pictureAddress(id) ? id : null
}

/** What a part's first picture shows: in the owner's words, or else what the part is. */
export const altOf = (part: { imageAlt?: string; name: string; kind: string }) =>
  part.imageAlt || `${part.name}, ${part.kind}`

/** Shown reviews and the sum of their stars. */
type Rating = { ratingCount: number; ratingSum: number }

/** The mean as every screen shows it: "4.5". */
export const meanOf = ({ ratingCount, ratingSum }: Rating): string =>
  (ratingSum / ratingCount).toFixed(1)

/** Parts in one comparison. A fifth takes the place of another. */
export const maxCompared = 4

/** `1042,1050`: the numbers in an address, each once. Undefined when it names none, or too many. */
export const numbersIn = (text: string): number[] | undefined => {
  const numbers = [...new Set(text.split(',').filter(Boolean).map(Number))]
  const isRight = numbers.every((each) => Number.isInteger(each) && each > 0 && each < 1e9)
  return isRight && numbers.length > 0 && numbers.length <= maxCompared ? numbers : undefined
}
