import { Hono } from 'hono'
import { Overview, OverviewQuery } from '#contracts/overview.ts'
import { type Database, sqlState } from '#server/database/client.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { AppError } from '#server/errors.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import {
  readAttention,
  readBeginnings,
  readBestSellers,
  readHolds,
  readLowStock,
  readToShip,
} from './lists.ts'
import { readDays, readSums } from './sums.ts'

/** PostgreSQL's error code for an unknown time zone. Browsers may have more time zones. */
const unknownZone = '22023'

type OverviewDeps = { db: Database; reading: ReadSource }

/**
 * Reads the overview. Days begin at midnight in `timeZone`.
 * @throws AppError INVALID for a time zone that the database does not have
 */
async function readOverview({ db, reading }: OverviewDeps, timeZone: string): Promise<Overview> {
  const source = await reading.open()
  const ofDays = source.read(async (from) => {
    const { calendar, since } = await readDays(from, timeZone)
    const [sums, bestSellers] = await Promise.all([
      readSums(from, calendar),
      readBestSellers(from, since),
    ])
    return { ...sums, bestSellers }
  })
  const [sums, lowStock, holds, toShip, attention, beginnings] = await Promise.all([
    ofDays.catch((error) => {
      if (sqlState(error) !== unknownZone) throw error
      const problem = 'is not known to this shop'
      throw new AppError('INVALID', `timeZone: ${problem}`, { timeZone: problem })
    }),
    readLowStock(db),
    readHolds(db),
    readToShip(db),
    readAttention(db),
    readBeginnings(db),
  ])
  const figuresAge = source.age
  return { timeZone, figuresAge, ...sums, lowStock, holds, toShip, attention, ...beginnings }
}

/** GET /overview, for admins. */
export function overviewRoutes(deps: OverviewDeps) {
  return new Hono<Env>().get(
    '/overview',
    requireAdmin({
      summary: 'Sums up sales, stock, and what waits for an admin.',
      answer: Overview,
    }),
    valid('query', OverviewQuery),
    async (c) => c.json(await readOverview(deps, c.req.valid('query').timeZone)),
  )
}
