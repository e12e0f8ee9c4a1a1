/**
 * kill -9 between any two statements under load, in a shop on an external PostgreSQL, with a mail
 * server.
 */
import fc from 'fast-check'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Killer,
  killerOf,
  killRounds,
  rounds,
  type Stage,
} from '#tests/support/crashes/kill-rounds.ts'
import { manyHolds } from '#tests/support/crashes/workload.ts'
import { type DatabaseWay, databaseWay, type Passing } from '#tests/support/database-way.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { type MailReceiver, receiveMail } from '#tests/support/mails.ts'
import { type PostgresServer, startPostgres } from '#tests/support/servers/postgres-server.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'

type Moment = { statement: number; side: Passing['moment']; withDatabase: boolean }

const moments: fc.Arbitrary<Moment> = fc.record({
  statement: fc.integer({ min: 1, max: 500 }),
  side: fc.constantFrom('asked', 'answered'),
  withDatabase: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
})

let postgres: PostgresServer
let way: DatabaseWay
let mails: MailReceiver
let shop: ShopProcess
beforeEach(async () => {
  postgres = await startPostgres()
  way = await databaseWay(postgres.url)
  mails = await receiveMail()
})
afterEach(async () => {
  way.restore()
  await shop?.remove()
  way.close()
  await mails.close()
  await postgres.remove()
})

// each round kills a shop: the gate has those of kill-embedded, and the named statements of
// steps.test.ts
test.runIf(atLength)(
  `at ${rounds} statements by chance (seed ${seed}): nothing acknowledged is lost, no money, no mail`,
  {
    timeout: 60_000 + rounds * 40_000,
  },
  async () => {
    const mail = { SMTP_URL: mails.url, MAIL_FROM: 'shop@example.com' }
    shop = await startShop({
      ...manyHolds,
      DATABASE_URL: way.url,
      ...mail,
      JOB_SECONDS: '0.3',
      DEMO: 'off',
    })
    const pool = new pg.Pool({ connectionString: postgres.url, max: 4 })
    pool.on('error', () => {})
    let startAgain = false
    const restore = async () => {
      if (startAgain) await postgres.start()
      startAgain = false
      way.restore()
    }
    const stage: Stage = { shop, pool, arrived: async () => mails.arrived, restore }

    function arm({ statement, side, withDatabase }: Moment, current: ShopProcess): Killer {
      let last = 'nothing'
      let left = statement
      const { killer, kill } = killerOf(current, '')
      way.watch(({ text, moment }) => {
        if (moment === side) left -= 1
        if (left > 0) return false
        if (killer.isAlive()) last = text.replaceAll(/\s+/g, ' ').slice(0, 200)
        kill()
        return true
      })
      const dead = killer.dead.then(async () => {
        way.watch(null)
        if (withDatabase) await postgres.end('SIGKILL')
        startAgain = withDatabase
      })
      const also = withDatabase ? ', and the database with it' : ''
      return {
        ...killer,
        dead,
        get moment() {
          return `when statement ${statement} was ${side}${also}: ${last}`
        },
      }
    }

    await killRounds(stage, rounds, moments, arm)
    await pool.end()
    expect(await stage.shop.end('SIGTERM')).toBe(0)
  },
)
