import { counted } from '#contracts/counted.ts'

/** How old the rows of a replica are. @param seconds by which they may be behind */
export const dataAge = (seconds: number) => {
  if (seconds === 0) return 'as of now'
  return `at most ${counted(seconds, 'second')} old`
}
