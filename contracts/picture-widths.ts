/** Widths in pixels that an uploaded picture is kept in. In a file without schemas, which the home page can afford. */
export const pictureWidths = [480, 960, 1600] as const
