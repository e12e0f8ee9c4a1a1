/** Where pictures are kept. Technologies: `disk.ts` (DATA_DIR/images, served under `/images`). */
export type StoredPicture = { bytes: Uint8Array; contentType: string }

export type Images = {
  /**
   * Keeps one picture in all its widths.
   * @param variants WebP bytes by width in pixels
   * @returns the URL of the widest; the others differ in the number before `.webp`
   */
  save(variants: ReadonlyMap<number, Uint8Array>): Promise<string>
  /** @param name the last path segment of a picture's URL @returns null when there is none */
  read(name: string): Promise<StoredPicture | null>
}
