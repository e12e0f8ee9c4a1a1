import type { PictureFormat } from '#contracts/catalogue.ts'

/** Storage of pictures. Adapters: `disk.ts` (DATA_DIR/images, served under `/images`). */
export type StoredPicture = { bytes: Uint8Array; contentType: string }

/** One file of a picture; `width` is the requested one: a smaller original is never enlarged. */
export type PictureFile = { width: number; format: PictureFormat; bytes: Uint8Array }

/** A stored picture; `url` as `save` returned it. `files` end like `960.webp`. */
export type StoredImage = { url: string; files: string[]; changedAt: Date }

export type Images = {
  /**
   * Stores all files of a picture, or none.
   * @returns the picture's URL (contracts/catalogue.ts)
   * @throws AppError STORAGE_LOW
   */
  save(files: readonly PictureFile[]): Promise<string>
  /** @param name the last path segment of a picture's URL @returns null when there is none */
  read(name: string): Promise<StoredPicture | null>
  /** All stored pictures with the names of their files, in no order. */
  list(): Promise<StoredImage[]>
  /** Removes a picture's files, if they exist. @param url as `save` returned it */
  remove(url: string): Promise<void>
}

/** A picture ready to be stored: its files, the size of the widest, and a tiny one as a data: URL. */
export type EncodedPicture = {
  files: PictureFile[]
  width: number
  height: number
  placeholder: string
}

/**
 * Encodes an upload, judged by its content alone.
 * @throws AppError UNSUPPORTED for other file types, INVALID for a damaged file or one with too many pixels
 */
export type EncodePicture = (upload: Uint8Array) => Promise<EncodedPicture>
