import { appendFileSync } from 'node:fs'

type Counted =
  | 'doors tried'
  | 'inputs fuzzed'
  | 'attacks made'
  | 'faults survived'
  | 'rounds of kill -9'

/** Adds to what `npm run test:security` and `npm run test:faults` count. */
export function tally(what: Counted, count = 1): void {
  const file = process.env.FERRITE_TALLY
  if (file) appendFileSync(file, `${what}\t${count}\n`)
}
