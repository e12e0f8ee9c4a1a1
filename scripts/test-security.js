// npm run test:security: the attacks alone, with new inputs each time. A failure prints the seed that finds it again.
// With --taken-out [WORD]: whether each of them fails without the defence that it tests.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureBuilt } from './build.js'
import { inRoot, main, node, run } from './run.js'
import { takeOut } from './taken-out.js'

const TALLY = inRoot('test-results', 'attacks.txt')

/** Adds up what the tests wrote down, one line for each kind of attack. */
function counts() {
  const sums = new Map()
  if (!existsSync(TALLY)) return sums
  for (const line of readFileSync(TALLY, 'utf8').trim().split('\n')) {
    const [what, count] = line.split('\t')
    sums.set(what, (sums.get(what) ?? 0) + Number(count))
  }
  return sums
}

await main(async () => {
  // what browsers get is searched too
  await ensureBuilt()
  const [, , only, word = ''] = process.argv
  if (only === '--taken-out') return takeOut(word)
  mkdirSync(inRoot('test-results'), { recursive: true })
  rmSync(TALLY, { force: true })
  const seed = process.env.FUZZ_SEED ?? String(Date.now() % 2 ** 31)
  const env = {
    ...process.env,
    FERRITE_TALLY: TALLY,
    FUZZ_SEED: seed,
    FUZZ_RUNS: process.env.FUZZ_RUNS ?? '150',
  }
  const vitest = [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', 'tests/security']
  const { code } = await run(node, vitest, { env })
  const sums = [...counts()].map(([what, count]) => `${count} ${what}`)
  console.log(
    `${sums.join(', ')}, seed ${seed} (FUZZ_SEED=${seed} npm run test:security tries the same again)`,
  )
  return code
})
