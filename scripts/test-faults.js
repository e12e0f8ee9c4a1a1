// npm run test:faults: what the shop survives, at full length. A failure prints the seed that finds it again.
// With --taken-out: whether each of these tests fails without the defence that it tests.
import { mkdirSync } from 'node:fs'
import { ensureBuilt } from './build.js'
import { inRoot, main, node, run, seconds } from './run.js'
import { takeOut } from './taken-out.js'
import { defences } from './taken-out-faults.js'
import { emptyTally, printTally } from './tally.js'

await main(async () => {
  const since = Date.now()
  await ensureBuilt()
  const [, , only, word = ''] = process.argv
  if (only === '--taken-out') return takeOut(word, defences)
  mkdirSync(inRoot('test-results'), { recursive: true })
  const tally = inRoot('test-results', 'faults.txt')
  emptyTally(tally)
  const seed = process.env.FAULT_SEED ?? String(Date.now() % 2 ** 31)
  const rounds = process.env.FAULT_ROUNDS ?? '25'
  const env = { ...process.env, FERRITE_TALLY: tally, FAULT_SEED: seed, FAULT_ROUNDS: rounds }
  const vitest = [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run']
  const tests = ['tests/faults', 'tests/lifecycle', 'server/features/orders/stock-promise.test.ts']
  const { code } = await run(node, [...vitest, ...tests], { env })
  printTally(tally)
  console.log(`seed: ${seed} (FAULT_SEED=${seed} npm run test:faults tries the same moments again)`)
  console.log(`${code === 0 ? 'passed' : 'FAILED'} (${seconds(since)})`)
  return code
})
