/**
 * Formats a count as every page shows it: `1250` → `1,250`. Avoids `Intl`, whose first use takes a
 * phone a tenth of a second.
 */
export const whole = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 order`, `1,250 orders`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${whole(count)} ${count === 1 ? noun : nouns}`
