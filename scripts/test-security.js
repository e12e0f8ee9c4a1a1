// npm run test:security: the attacks alone, with new inputs each time. A failure prints the seed that finds it again.
// With --taken-out [WORD]: whether each of them fails without the defence that it tests.
import { mkdirSync } from 'node:fs'
import { ensureBuilt } from './build.js'
import { inRoot, main, node, run } from './run.js'
import { takeOut } from './taken-out.js'
import { emptyTally, printTally } from './tally.js'

await main(async () => {
  // what browsers get is searched too
  await ensureBuilt()
  const [, , only, word = ''] = process.argv
  if (only === '--taken-out') return takeOut(word)
  mkdirSync(inRoot('test-results'), { recursive: true })
  const tally = inRoot('test-results', 'attacks.txt')
  emptyTally(tally)
  const seed = process.env.FUZZ_SEED ?? String(Date.now() % 2 ** 31)
  const env = {
    ...process.env,
    FERRITE_TALLY: tally,
    FUZZ_SEED: seed,
    FUZZ_RUNS: process.env.FUZZ_RUNS ?? '150',
  }
  const vitest = [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', 'tests/security']
  const { code } = await run(node, vitest, { env })
  printTally(tally)
  console.log(`seed: ${seed} (FUZZ_SEED=${seed} npm run test:security tries the same again)`)
  return code
})
