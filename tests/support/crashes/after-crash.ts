/** When a shop is idle again after a crash, and what must then be true of it. */
import { expect } from 'vitest'
import type { CheckReport } from '#contracts/reconciliation.ts'
import { call } from '#tests/support/people.ts'
import { brokenInvariants } from '#tests/support/stock.ts'
import { bookedBy, type Market, sendBooking } from './workload.ts'

/** How often each mail arrived, by its id. */
export type Arrived = () => Promise<Map<string, number>>

/** The remaining work of background jobs; each query returns a count, and may return details. */
const waiting = {
  'mails to be sent': `select count(*), string_agg(concat_ws(', ', template, attempts || ' tries',
      'next in ' || (next_attempt_at - now()), last_error), '; ') as more
    from mail_queue where sent_at is null`,
  'payments without a recorded end': `select count(*) from payments p
    join sandbox_stripe.objects o on o.id = p.intent_id
    where p.status = 'open' and o.body->>'status' in ('succeeded', 'canceled')`,
  'refunds to be made': `select count(*) from refunds where state = 'requested'`,
  'holds that are over': `select count(*) from orders where hold_expires_at < now()`,
}

/**
 * A mail that was taken before the crash but not recorded as sent is due a minute or more later:
 * skips that time. Leaves alone mails taken after the crash.
 */
const letTimePass = `update mail_queue set next_attempt_at = now()
  where sent_at is null and next_attempt_at > now()
    and next_attempt_at - make_interval(secs => (array[60, 300, 1800, 7200])[attempts]) < to_timestamp($1)`

/**
 * Waits until no work is left.
 * @param mendedAt seconds since 1970: the crash was repaired by then
 * @throws with the remaining work
 */
export async function waitUntilIdle({ pool }: Market, mendedAt: number): Promise<void> {
  await pool.query(letTimePass, [mendedAt])
  const left = async () => {
    const words: string[] = []
    for (const [what, query] of Object.entries(waiting)) {
      const { rows } = await pool.query<{ count: string; more?: string }>(query)
      const { count, more } = rows[0] ?? {}
      if (Number(count) > 0) words.push(`${count} ${what}${more ? ` (${more})` : ''}`)
    }
    return words
  }
  await expect.poll(left).toEqual([])
}

type Check = (market: Market) => Promise<string[]>

/** The ids for which the query returns no row. */
async function lost({ pool }: Market, ids: Iterable<string>, query: string): Promise<string[]> {
  const idList = [...ids]
  const { rows } = await pool.query<{ id: string }>(query, [idList])
  const found = new Set(rows.map(({ id }) => id))
  return idList.filter((id) => !found.has(id))
}

const rowsOf = async ({ pool }: Market, query: string) =>
  (await pool.query<Record<string, unknown>>(query)).rows.map((row) => JSON.stringify(row))

const ordersIn = (states: string) =>
  `select _id::text as id from orders where _id::text = any($1) and status in (${states})`

/** Name of each invariant → check that returns its violations. */
const invariants: Record<string, Check> = {
  'an order that was acknowledged is there': (market) =>
    lost(
      market,
      market.acknowledged.booked.keys(),
      ordersIn("'unpaid', 'paid', 'shipped', 'refunded', 'deleted'"),
    ),
  'an order that was acknowledged deleted stays deleted': (market) =>
    lost(market, market.acknowledged.deleted, ordersIn("'deleted'")),
  'an order that was acknowledged shipped stays shipped': (market) =>
    lost(market, market.acknowledged.shipped, ordersIn("'shipped', 'refunded'")),
  'money that came pays its order, or went back': (market) =>
    lost(
      market,
      market.acknowledged.charged.keys(),
      `select intent_id as id from payments y join orders o on o.checkout_id = y.checkout_id
       where intent_id = any($1) and ((y.status = 'succeeded' and o.transaction_id = y.intent_id)
         or y.status = 'unmatched' and y.amount = (select sum(amount) from refunds r where r.intent_id = y.intent_id and state = 'succeeded'))`,
    ),
  'an order has at most one payment that brought money': (market) =>
    rowsOf(
      market,
      `select body->'metadata'->>'orderId' as order_id, count(*) from sandbox_stripe.objects o
       join payments y on y.intent_id = o.id
       where kind = 'payment_intent' and body->>'status' = 'succeeded' and y.status = 'succeeded'
       group by 1 having count(*) > 1`,
    ),
  'the provider has as much money as we say': (market) =>
    rowsOf(
      market,
      `select * from (select
        (select coalesce(sum((body->>'amount_received')::bigint), 0) from sandbox_stripe.objects
          where kind = 'payment_intent') as came_there,
        (select coalesce(sum(amount), 0) from payments where status in ('succeeded', 'unmatched')) as came_here,
        (select coalesce(sum((body->>'amount')::bigint), 0) from sandbox_stripe.objects
          where kind = 'refund' and body->>'status' = 'succeeded') as back_there,
        (select coalesce(sum(amount), 0) from refunds where state = 'succeeded') as back_here) sums
       where came_there <> came_here or back_there <> back_here`,
    ),
  'a refund that was acknowledged is made': (market) =>
    lost(
      market,
      market.acknowledged.refunded,
      `select order_id::text as id from refunds join refund_lines on refund_id = _id
       where order_id::text = any($1) and state = 'succeeded'`,
    ),
  'one key is one order': (market) =>
    rowsOf(
      market,
      `select idempotency_key, count(*) from orders where idempotency_key is not null group by 1 having count(*) > 1`,
    ),
  'each checkout is mailed once when it is booked and once when it is paid': (market) =>
    rowsOf(
      market,
      `select o.checkout_id, k.kind, count(m._id) from orders o cross join (values ('booked'), ('paid')) k (kind)
       left join mail_queue m on m.dedupe = k.kind || ' ' || o._id
       where k.kind = 'booked' or o.transaction_id is not null
       group by o.checkout_id, k.kind having count(m._id) <> 1`,
    ),
  'a reset that was acknowledged is mailed, up to five an hour': async (market) => {
    const short: string[] = []
    for (const [email, times] of market.acknowledged.resets) {
      const { rows } = await market.pool.query<{ count: number }>(
        `select count(*)::int from mail_queue where recipient = $1 and template = 'reset-password'
           and created_at > now() - interval '1 day'`,
        [email],
      )
      const due = Math.min(times, 5)
      if ((rows[0]?.count ?? 0) < due) short.push(`${email}: ${rows[0]?.count} of ${due}`)
    }
    return short
  },
  'a part that was acknowledged is on sale with its picture': async (market) => [
    ...(await lost(
      market,
      market.acknowledged.parts.keys(),
      `select _id::text as id from parts where _id::text = any($1)`,
    )),
    ...(await lost(
      market,
      market.acknowledged.parts.values(),
      `select image as id from parts where image = any($1)`,
    )),
  ],
  'a picture that was acknowledged is whole': async ({ origin, acknowledged }) => {
    const urls = [...acknowledged.pictures].slice(-20)
    const answers = await Promise.all(urls.map((url) => call(origin, 'GET', url)))
    return urls.filter((_, i) => answers[i]?.status !== 200)
  },
  'who had no answer and asks again gets one order': async ({ acknowledged }) => {
    const again = acknowledged.unanswered.splice(0)
    const broken: string[] = []
    for (const booking of again) {
      const [first, second] = [await sendBooking(booking), await sendBooking(booking)]
      // the stock may be gone meanwhile, or the customer who never paid holds another order
      if (![200, 409, 429].includes(first.status)) broken.push(`${first.status}`)
      if (first.status !== 200) continue
      const ids = bookedBy(first)
      if (bookedBy(second).join() !== ids.join()) broken.push(booking.key)
      for (const id of ids) acknowledged.booked.set(id, booking)
    }
    return broken
  },
  'ledger, payments and refunds fit together': ({ pool }) => brokenInvariants(pool),
  'the doctor finds nothing': async ({ owner }) => {
    const { status, body } = await owner.call('GET', '/api/money')
    if (status !== 200) return [`the doctor answered ${status}`]
    const { provider, issues } = body as CheckReport
    const words = issues.map((issue) => JSON.stringify(issue))
    return provider === 'answered' ? words : ['the provider is silent', ...words]
  },
}

/**
 * Checks that every mail arrived, each under its own id; a mail interrupted by a crash may have
 * arrived twice.
 */
async function brokenMail({ pool }: Market, arrived: Arrived, crashes: number): Promise<string[]> {
  const idsOf = async (condition: string) => {
    const { rows } = await pool.query<{ _id: string }>(
      `select _id::text from mail_queue where ${condition}`,
    )
    return rows.map(({ _id }) => _id)
  }
  // in this order: new requests are mailed during this check, and a mail arrives before it is
  // marked as sent
  const sentIds = await idsOf('sent_at is not null')
  const came = await arrived()
  const written = new Set(await idsOf('true'))
  const missing = sentIds.filter((id) => !came.has(id)).map((id) => `${id} never came`)
  const strange = [...came.keys()].filter((id) => !written.has(id)).map((id) => `${id} is unknown`)
  const twice = [...came.values()].reduce((sum, times) => sum + times - 1, 0)
  const often = twice > crashes ? [`${twice} came twice in ${crashes} crashes`] : []
  return [...missing, ...strange, ...often]
}

/** The broken invariants, with their violations. */
export async function findViolations(
  market: Market,
  arrived: Arrived,
  crashes: number,
): Promise<string[]> {
  const broken = market.acknowledged.faults.splice(0).map((fault) => `no client gets ${fault}`)
  for (const [promise, check] of Object.entries(invariants)) {
    for (const what of await check(market)) broken.push(`${promise}: ${what}`)
  }
  for (const what of await brokenMail(market, arrived, crashes)) {
    broken.push(`a mail arrives: ${what}`)
  }
  return broken
}
