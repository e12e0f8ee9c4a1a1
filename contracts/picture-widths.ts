/** Widths in pixels of a stored picture. A file without zod keeps the home page small. */
export const pictureWidths = [480, 960, 1600] as const
