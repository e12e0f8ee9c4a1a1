import { sql } from 'drizzle-orm'
import { dollars } from '#contracts/money.ts'
import type { Issue } from '#contracts/reconciliation.ts'
import type { Database } from '#server/database/client.ts'
import { findStuckMail } from '#server/database/mail-queue.ts'

const nothing = { provider: null, ledger: null, advice: null }

/** Holds that expired two minutes ago and still hold units, though a job looks every few seconds. */
export async function findOverdueHolds(db: Database): Promise<Issue[]> {
  const { rows } = await db.execute<{
    _id: string
    name: string
    quantity: number
    minutes: number
  }>(sql`
    select _id, concat_ws(', ', product, number) as name, quantity, floor(extract(epoch from now() - hold_expires_at) / 60)::int as minutes
    from orders where hold_expires_at < now() - interval '2 minutes' order by hold_expires_at limit 100`)
  return rows.map(({ _id, name, quantity, minutes }) => ({
    ...nothing,
    type: 'hold',
    about: `order:${_id}`,
    name,
    orderId: _id,
    words: 'The hold is over and still binds its units.',
    ours: `over for ${minutes} min`,
    ledger: `${quantity} held`,
    repair: 'expireHold',
  }))
}

/** Refunds that are requested for ten minutes and not made. */
export async function findWaitingRefunds(db: Database): Promise<Issue[]> {
  const { rows } = await db.execute<{
    _id: string
    orderId: string
    name: string
    amount: number
    minutes: number
  }>(sql`
    select r._id, o._id as "orderId", concat_ws(', ', o.product, o.number) as name, r.amount,
      floor(extract(epoch from now() - r.created_at) / 60)::int as minutes
    from refunds r join orders o on o._id = r.order_id
    where r.state = 'requested' and r.created_at < now() - interval '10 minutes' order by r.created_at limit 100`)
  return rows.map(({ _id, orderId, name, amount, minutes }) => ({
    ...nothing,
    type: 'refund',
    about: `refund:${_id}`,
    name,
    orderId,
    words: 'A refund is asked for and not made.',
    ours: `${dollars(amount / 100)} asked for ${minutes} min ago`,
    repair: 'makeRefund',
  }))
}

/** Mails that are overdue. */
export async function findWaitingMail(db: Database): Promise<Issue[]> {
  return (await findStuckMail(db)).map(({ _id, template, attempts, lastError, createdAt }) => ({
    ...nothing,
    type: 'mail',
    about: `mail:${_id}`,
    name: template,
    orderId: null,
    words: lastError ? `A mail can not be sent: ${lastError}` : 'A mail waits to be sent.',
    ours: `written ${createdAt} UTC, ${attempts} ${attempts === 1 ? 'try' : 'tries'}`,
    repair: 'sendMail',
  }))
}
