import { Hono } from 'hono'
import { Overview } from '#contracts/overview.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { readTimeZone } from '#server/database/shop-days.ts'
import { type Env, requireAdmin } from '#server/http/guards.ts'
import { type FirstStepsDeps, readFirstSteps } from './first-steps.ts'
import {
  readAttention,
  readBeginnings,
  readBestSellers,
  readHolds,
  readLowStock,
  readToShip,
} from './lists.ts'
import { readDays, readSums } from './sums.ts'

type OverviewDeps = FirstStepsDeps & { reading: ReadSource }

async function readOverview(deps: OverviewDeps): Promise<Overview> {
  const { db, reading } = deps
  const source = await reading.open()
  const ofDays = source.read(async (from) => {
    const { calendar, since } = await readDays(from)
    const [sums, bestSellers] = await Promise.all([
      readSums(from, calendar),
      readBestSellers(from, since),
    ])
    return { ...sums, bestSellers }
  })
  const [sums, timeZone, firstSteps, lowStock, holds, toShip, attention, beginnings] =
    await Promise.all([
      ofDays,
      readTimeZone(db),
      readFirstSteps(deps),
      readLowStock(db),
      readHolds(db),
      readToShip(db),
      readAttention(db),
      readBeginnings(db),
    ])
  const figuresAge = source.age
  return {
    timeZone,
    firstSteps,
    figuresAge,
    ...sums,
    lowStock,
    holds,
    toShip,
    attention,
    ...beginnings,
  }
}

/** GET /overview, for admins. */
export function overviewRoutes(deps: OverviewDeps) {
  return new Hono<Env>().get(
    '/overview',
    requireAdmin({
      summary: 'Sums up sales, stock, and what waits for an admin.',
      answer: Overview,
    }),
    async (c) => c.json(await readOverview(deps)),
  )
}
