import { appendFileSync } from 'node:fs'

/** Adds to what `npm run test:security` counts. */
export function tally(what: 'doors tried' | 'inputs fuzzed' | 'attacks made', count = 1): void {
  const file = process.env.FERRITE_TALLY
  if (file) appendFileSync(file, `${what}\t${count}\n`)
}
