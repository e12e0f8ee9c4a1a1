/**
 * kill -9 at random moments under load, in a shop with its defaults: the embedded database, mails
 * as files.
 */
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import {
  filesArrived,
  type Killer,
  killerOf,
  killRounds,
  rounds,
  type Stage,
} from '#tests/support/crashes/kill-rounds.ts'
import { manyHolds } from '#tests/support/crashes/workload.ts'
import { seed } from '#tests/support/length.ts'
import { endDatabase, shopDatabase } from '#tests/support/shop-database.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'

type Moment = { events: number; ms: number; withDatabase: boolean }

// requests and responses until then, plus some time in which the shop works on its requests
const moments: fc.Arbitrary<Moment> = fc.record({
  events: fc.integer({ min: 1, max: 80 }),
  ms: fc.integer({ min: 0, max: 60 }),
  withDatabase: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
})

let shop: ShopProcess
afterEach(() => shop?.remove())

test(`at ${rounds} moments by chance (seed ${seed}): nothing acknowledged is lost, no money, no mail`, {
  timeout: 60_000 + rounds * 40_000,
}, async () => {
  shop = await startShop({ ...manyHolds, JOB_SECONDS: '0.3', DEMO: 'off' })
  const pool = await shopDatabase(shop)
  const stage: Stage = { shop, pool, arrived: filesArrived(shop.dataDir), restore: async () => {} }

  function arm({ events, ms, withDatabase }: Moment, current: ShopProcess): Killer {
    const also = withDatabase ? ', and its database with it' : ''
    const { killer, kill } = killerOf(current, `${ms} ms after event ${events}${also}`)
    let left = events
    const onEvent = () => {
      left -= 1
      if (left === 0) setTimeout(kill, ms)
    }
    const dead = killer.dead.then(async () => {
      if (withDatabase) await endDatabase(shop, 'SIGKILL')
    })
    return { ...killer, onEvent, dead }
  }

  await killRounds(stage, rounds, moments, arm)
  await pool.end()
  expect(await stage.shop.end('SIGTERM')).toBe(0)
})
