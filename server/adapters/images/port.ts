import type { PictureFormat } from '#contracts/catalogue.ts'
import type { LogoFile } from '#contracts/logo.ts'

export type StoredPicture = { bytes: Uint8Array; contentType: string }

/** One file of a picture; `width` is the requested one: a smaller original is never enlarged. */
export type EncodedFile = { width: number; format: PictureFormat; bytes: Uint8Array }

/** A stored picture; `url` as `save` returned it. `files` end like `960.webp`. */
export type StoredImage = { url: string; files: string[]; changedAt: Date }

/** The database with the picture list of a store that has none itself. */
export type ListDatabase = {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

/** The id of the shop whose pictures a store contains, so that no shop uses another's store. */
export type ShopMarker = {
  /** @returns null when there is none @throws AppError UNAVAILABLE */
  read(): Promise<string | null>
  write(shopId: string): Promise<void>
}

/** A removed picture, with the URLs where a person can delete its files. */
export type Leftover = { url: string; deleteUrls: string[] }

/**
 * Storage of pictures, which the shop always serves under `/images`. A store that does not respond
 * causes UNAVAILABLE, a full one STORAGE_LOW; one that refuses the shop's keys throws KeyRefused.
 */
export type Images = {
  /** The store's type and location, for the startup table and for messages. */
  name: string
  where: string
  /**
   * Null when the list of its pictures is a table of the shop's database, so that it belongs to no
   * other shop.
   */
  marker: ShopMarker | null
  /**
   * Stores all files of a picture, or none. With `id` it is a copy and gets the same URL.
   * @returns the picture's URL (contracts/catalogue.ts)
   */
  save(files: readonly EncodedFile[], id?: string): Promise<string>
  /** @param name the last path segment of a picture's URL @returns null when there is none */
  read(name: string): Promise<StoredPicture | null>
  /** All stored pictures with the names of their files, unordered. */
  list(): Promise<StoredImage[]>
  /** Removes a picture's files, if they exist. @param url as `save` returned it */
  remove(url: string): Promise<void>
  /** Tests whether the store responds and accepts the shop's keys. Stores nothing. */
  verify(): Promise<void>
  /**
   * Removed pictures that remain in a store without a delete call; absent where `remove` deletes.
   */
  leftovers?(): Promise<Leftover[]>
}

/**
 * A picture ready to be stored: its files, the size of the widest, and a tiny one as a data: URL.
 */
export type EncodedPicture = {
  files: EncodedFile[]
  width: number
  height: number
  placeholder: string
}

/**
 * Encodes an upload, recognised by its content alone.
 * @throws AppError UNSUPPORTED for other file types, INVALID for a damaged file or one with too
 * many pixels
 */
export type EncodePicture = (upload: Uint8Array) => Promise<EncodedPicture>

/**
 * Encodes an upload as one WebP that fits a screen, for pictures that few people see. @throws
 * AppError as EncodePicture
 */
export type EncodePhoto = (upload: Uint8Array) => Promise<Uint8Array>

export type EncodedLogo = { file: LogoFile; bytes: Uint8Array }[]
/** Encodes an upload as the shop's logo. @throws AppError as EncodePicture */
export type EncodeLogo = (upload: Uint8Array) => Promise<EncodedLogo>

export type PictureEncoder = {
  encodePicture: EncodePicture
  encodePhoto: EncodePhoto
  encodeLogo: EncodeLogo
}

/**
 * Fetches a picture from the public internet with the size and format of an upload; does not decode
 * it.
 * @throws AppError INVALID, TOO_LARGE, UNSUPPORTED for permanent problems; UNAVAILABLE for
 * temporary ones
 */
export type FetchPicture = (address: string) => Promise<Uint8Array>
