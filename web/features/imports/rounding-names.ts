import type { Rounding } from '#contracts/parts-csv.ts'

/** The names of the rounding modes for computed prices. */
export const roundingNames: Record<Rounding, string> = {
  cent: 'to the cent',
  nearest: 'to the nearest whole number',
  up: 'up to the next whole number',
  nine: 'up to the next price ending in 9',
}
