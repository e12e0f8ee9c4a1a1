import { counted } from '#contracts/counted.ts'

/**
 * Formats the age of a replica's data.
 * @param seconds the maximum age
 */
export const dataAge = (seconds: number) => {
  if (seconds === 0) return 'as of now'
  return `at most ${counted(seconds, 'second')} old`
}
