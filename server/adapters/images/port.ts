import type { PictureFormat } from '#contracts/catalogue.ts'

/** Where pictures are kept. Technologies: `disk.ts` (DATA_DIR/images, served under `/images`). */
export type StoredPicture = { bytes: Uint8Array; contentType: string }

/** One file of a picture; `width` is the one asked for: a smaller original is never enlarged. */
export type PictureFile = { width: number; format: PictureFormat; bytes: Uint8Array }

/** A picture as it is kept; `url` as `save` answered it. `files` end like `960.webp`. */
export type StoredImage = { url: string; files: string[]; changedAt: Date }

export type Images = {
  /**
   * Keeps one picture in all its files, or nothing of it.
   * @returns the address that stands for the picture (contracts/catalogue.ts)
   * @throws AppError STORAGE_LOW
   */
  save(files: readonly PictureFile[]): Promise<string>
  /** @param name the last path segment of a picture's URL @returns null when there is none */
  read(name: string): Promise<StoredPicture | null>
  /** Every picture that is kept, with the names of its files, in no order. */
  list(): Promise<StoredImage[]>
  /** Removes every file of a picture; one that is not there is no failure. @param url as `save` answered it */
  remove(url: string): Promise<void>
}

/** A picture ready to be kept: its files, the size of the widest, and a tiny one as a data: address. */
export type EncodedPicture = {
  files: PictureFile[]
  width: number
  height: number
  placeholder: string
}

/**
 * Makes a picture of ours from what somebody sent, judged by its content alone.
 * @throws AppError UNSUPPORTED for other kinds of file, INVALID for a damaged one or one with too many pixels
 */
export type EncodePicture = (upload: Uint8Array) => Promise<EncodedPicture>
