/** Numbers of things, as every page writes them. */
const format = new Intl.NumberFormat('en-US')

/** `1,250`. */
export const whole = (count: number): string => format.format(count)

/** `1 order`, `1,250 orders`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${whole(count)} ${count === 1 ? noun : nouns}`
