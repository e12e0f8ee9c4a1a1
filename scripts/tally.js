import { existsSync, readFileSync, rmSync } from 'node:fs'

/** Forgets what an earlier run counted. */
export function emptyTally(file) {
  rmSync(file, { force: true })
}

/** Adds up what the tests wrote down, one line for each kind, and prints it. */
export function printTally(file) {
  if (!existsSync(file)) return
  const sums = new Map()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [what, count] = line.split('\t')
    sums.set(what, (sums.get(what) ?? 0) + Number(count))
  }
  for (const [what, count] of sums) console.log(`${what}: ${count}`)
}
