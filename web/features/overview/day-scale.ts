/** Steps that people count in. */
const handy = [1, 2, 3, 4, 5, 10]

const stepFor = (least: number) => {
  const power = 10 ** Math.floor(Math.log10(least))
  return (handy.find((step) => step * power >= least) ?? 10) * power
}

/** The lines of an axis that holds all values: whole numbers in even steps, zero among them, two above it. */
export function scaleOf(values: number[]): number[] {
  const [high, low] = [Math.max(0, ...values), Math.min(0, ...values)]
  const step = stepFor(Math.max(1, high / 2, -low / 2))
  const below = Math.ceil(-low / step)
  return Array.from({ length: below + 3 }, (_, nth) => (nth - below) * step)
}
