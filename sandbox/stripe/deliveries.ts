import type { Pool } from 'pg'
import { transaction } from '#sandbox/transaction.ts'
import { endRefund } from './refund-ending.ts'
import { claim, type DeliveryOptions, deliver, reason } from './sending.ts'

const atOnce = 4
const longestNap = 30_000
const afterTrouble = 1000

/** Sends queued events until stopped; `wake` starts a round now, other rounds follow the queue. */
export function deliverer(options: DeliveryOptions) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = true

  function wake(): void {
    if (stopped) return
    clearTimeout(timer)
    again = running !== undefined
    running ??= round().finally(() => {
      running = undefined
      if (again) wake()
    })
  }

  async function round(): Promise<void> {
    let nap = afterTrouble
    try {
      await Promise.all(Array.from({ length: atOnce }, () => worker(options, () => stopped)))
      while (!stopped && (await runLater(options)));
      nap = await untilNext(options.pool)
    } catch (error) {
      options.log(`stripe sandbox: webhooks wait, ${reason(error)}`)
    }
    if (!stopped) timer = setTimeout(wake, nap).unref()
  }

  return {
    wake,
    start() {
      stopped = false
      wake()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

async function worker(options: DeliveryOptions, stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    const claimed = await claim(options.pool)
    if (!claimed) return
    await deliver(options, claimed)
  }
}

/** Does one thing that was due later; false when nothing is. */
async function runLater({ pool, controls }: DeliveryOptions): Promise<boolean> {
  return transaction(pool, async (db) => {
    const { rows } = await db.query<{ refund: string }>(
      `delete from sandbox_stripe.later where id = (
        select id from sandbox_stripe.later where due <= clock_timestamp()
        order by id limit 1 for update skip locked) returning refund`,
    )
    const refund = rows[0]?.refund
    const request = { id: null, idempotency_key: null }
    if (refund !== undefined) await endRefund({ db, request, controls }, refund)
    return refund !== undefined
  })
}

/** Milliseconds until the queue needs attention again. */
async function untilNext(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (extract(epoch from min(due) - clock_timestamp()) * 1000)::float8 as ms from (
      select due from sandbox_stripe.deliveries where state = 'waiting'
      union all select due from sandbox_stripe.later) waiting`,
  )
  return Math.min(Math.max(rows[0]?.ms ?? longestNap, 5), longestNap)
}
