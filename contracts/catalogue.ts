/** What every page that shows parts needs. Nothing here imports the schema library, so the home page can afford it. */

export type Stock = { availableQuantity: number; minimumOrderQuantity: number }

/** Units at most: of one order, and of a part in stock. */
export const quantityLimit = 100_000
export const stockLimit = 1_000_000

/** Is there enough for the smallest order that the part allows? */
export function isBookable({ availableQuantity, minimumOrderQuantity }: Stock): boolean {
  return availableQuantity >= minimumOrderQuantity
}

/** A part is low when its stock is enough for this many smallest orders at most. */
export const lowBookings = 5

/** Whether the part can be booked, but only a few times more. */
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

/** What a file name says, or null when it names no picture of this shop. */
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

/** The id of the picture that an address stands for, or null when it stands for none of this shop. */
export function pictureIdOf(address: string): string | null {
  const id = readPictureName(address.slice(folder.length))?.id
  return id && address === pictureAddress(id) ? id : null
}

/** What a part's first picture shows: in the owner's words, or else what the part is. */
export const altOf = (part: { imageAlt?: string; name: string; kind: string }) =>
  part.imageAlt || `${part.name}, ${part.kind}`
