/** A text and its button, side by side as long as there is room for half a line. */
export const accountRow = 'flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5'
