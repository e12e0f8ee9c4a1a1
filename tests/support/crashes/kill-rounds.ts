/**
 * Rounds of kill -9: load, a moment at which the shop is killed, a restart, a wait until it is
 * idle, and a check of every invariant.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { expect } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { login, type Person, register } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import type { ShopProcess } from '#tests/support/shop-process.ts'
import { type Arrived, findViolations, waitUntilIdle } from './after-crash.ts'
import {
  beginDay,
  busyDay,
  fillShelves,
  type Market,
  nothingAcknowledged,
  type Plan,
  plan,
} from './workload.ts'

/** The number of rounds of each type. */
export const rounds = atLength ? 25 : 1

/**
 * Waits for its moment, then kills. `onEvent` is called with each request and response of the load.
 */
export type Killer = {
  /** A description of the moment. */
  moment: string
  onEvent(): void
  /** Resolves when the process is dead. */
  dead: Promise<void>
  isAlive(): boolean
}

export type Stage = {
  shop: ShopProcess
  pool: Pool
  arrived: Arrived
  /** Runs between the kill and the next start. */
  restore(): Promise<void>
}

/** Adds three parts that all customers want. */
async function addParts(shop: { origin: string }, owner: Person, picture: Uint8Array) {
  const { body } = await upload(shop, owner, picture)
  const sharedFields = {
    description: 'In demand.',
    minimumOrderQuantity: 1,
    image: body.data.url,
  }
  for (const price of [40, 70, 110]) {
    const part = { ...sharedFields, name: `Wanted for ${price}`, price, availableQuantity: 8 }
    const { status } = await owner.call('POST', '/api/product', part)
    if (status !== 200) throw new Error(`no part: ${status}`)
  }
  const parts: Part[] = (await owner.call('GET', '/api/part')).body
  return parts
}

/** The users of the shop, who stay the same for all rounds. */
export async function openMarket({ shop, pool }: Stage): Promise<Market> {
  const { origin } = shop
  const html = await (await fetch(`${origin}/`)).text()
  const customers = []
  for (const name of ['Ada Busy', 'Bob Busy', 'Cyd Busy'])
    customers.push(await register(origin, name, { verified: false }))
  // their mail may go to a mail server
  await pool.query('update users set email_verified = true')
  const owner = await login(origin, 'owner@ferrite.example', 'owner-password')
  const picture = await photo(320, 240)
  return {
    origin,
    publishableKey: /pk_test_\w+/.exec(html)?.[0] ?? '',
    customers,
    owner,
    parts: await addParts({ origin }, owner, picture),
    photo: picture,
    pool,
    acknowledged: nothingAcknowledged(),
    onEvent: () => {},
  }
}

/** The shop's connections on which PostgreSQL is still working; none if it was killed too. */
const backendsOf = (pool: Pool): Promise<number> =>
  pool
    .query(
      `select count(*)::int from pg_stat_activity
       where datname = current_database() and application_name like 'ferrite%'`,
    )
    .then(
      ({ rows }) => rows[0].count,
      () => 0,
    )

/**
 * After the kill: repairs, restarts and waits until the shop is idle.
 * @param onOpen called when the shop is open again
 * @returns the broken invariants
 */
export async function recover(
  stage: Stage,
  market: Market,
  crashes: number,
  onOpen = () => {},
): Promise<string[]> {
  await stage.restore()
  // queries of the dead process may still run, and take a mail that is never sent
  await expect.poll(() => backendsOf(stage.pool)).toBe(0)
  const diedAt = Date.now() / 1000
  stage.shop = await stage.shop.restart()
  onOpen()
  await waitUntilIdle(market, diedAt)
  return findViolations(market, stage.arrived, crashes)
}

/**
 * One round.
 * @throws naming every broken invariant
 */
async function round(stage: Stage, market: Market, day: Plan, killer: Killer, n: number) {
  await beginDay(market)
  await fillShelves(market)
  market.onEvent = killer.onEvent
  await Promise.all([busyDay(market, day, killer.isAlive), killer.dead])
  market.onEvent = () => {}
  const broken = await recover(stage, market, n)
  if (broken.length > 0) throw new Error(broken.join('\n'))
}

/**
 * That many rounds on one shop, which continues from one to the next.
 * @param moments random moments of the kill
 * @param arm creates the killer for such a moment
 */
export async function killRounds<Moment>(
  stage: Stage,
  rounds: number,
  moments: fc.Arbitrary<Moment>,
  arm: (moment: Moment, shop: ShopProcess) => Killer,
): Promise<void> {
  const market = await openMarket(stage)
  let n = 0
  const property = fc.asyncProperty(plan, moments, async (day, moment) => {
    n += 1
    const killer = arm(moment, stage.shop)
    await round(stage, market, day, killer, n).catch((error: Error) => {
      throw new Error(`round ${n}, killed ${killer.moment}:\n${error.message}`, { cause: error })
    })
  })
  // the shop continues with its data, so a smaller counterexample would test a different state
  const ended = await fc.check(property, { seed, numRuns: rounds, endOnFailure: true })
  const cause = ended.errorInstance
  if (!ended.failed) return
  const why = cause instanceof Error ? cause.message : String(cause)
  throw new Error(`${why}\nTEST_SEED=${seed} tries the same moments again`, {
    cause,
  })
}

/** Counts mails as files, for a shop without a mail server. */
export const filesArrived =
  (dataDir: string): Arrived =>
  async () => {
    const names = await readdir(join(dataDir, 'outbox')).catch(() => [])
    // a file that is still being written has not arrived
    const whole = names.filter((name) => name.endsWith('.eml'))
    return new Map(whole.map((name) => [name.replace(/\.eml$/, ''), 1]))
  }

/** Kills as soon as it is triggered. */
export function killerOf(shop: ShopProcess, moment: string) {
  let alive = true
  let killed = () => {}
  const dead = new Promise<void>((resolve) => {
    killed = resolve
  }).then(() => shop.end('SIGKILL').then(() => {}))
  return {
    killer: { moment, onEvent() {}, dead, isAlive: () => alive } satisfies Killer,
    kill() {
      if (!alive) return
      alive = false
      if (shop.pid) process.kill(shop.pid, 'SIGKILL')
      killed()
    },
  }
}
