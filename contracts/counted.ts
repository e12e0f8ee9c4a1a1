/**
 * Numbers of things, as every page writes them: `1250` → `1,250`. Without `Intl`, whose first use costs a phone's page a
 * tenth of a second before it answers.
 */
export const whole = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 order`, `1,250 orders`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${whole(count)} ${count === 1 ? noun : nouns}`
