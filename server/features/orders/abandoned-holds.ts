/** Holds and offers that were not paid (`abandoned_holds`): others go first for a while. */
import { inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { type abandonCauses, abandonedHolds } from '#server/database/schema/queue.ts'
import { users } from '#server/database/schema/users.ts'
import type { HoldRules } from './hold-times.ts'

type Abandoned = { _id: string; userId: string; partId: string }

/**
 * Records that customers did not pay for held or offered units. Call it before the units are
 * released. Other customers have priority at this part until the pause is over. The pause starts at
 * the limit of an expired or deleted hold; it starts now for an offer or a hold that an admin
 * released. An order that came from an offer is recorded as an offer. Accounts without a verified
 * address cost nothing, so those of one network have the pause together.
 * @param holds the orders, or the queue places with the offers
 */
export async function noteAbandoned(
  tx: Transaction,
  { holdMaxMinutes }: Pick<HoldRules, 'holdMaxMinutes'>,
  holds: readonly Abandoned[],
  cause: (typeof abandonCauses)[number],
): Promise<void> {
  await tx.execute(sql`
    insert into ${abandonedHolds} (mailbox, network, part_id, order_id, cause, pause_until)
    select mailbox_key(u.mailbox), case when not u.email_verified then o.networks[1] end, h.part_id, o._id,
      case when o.idempotency_key like 'offer %' then replace(replace(${cause}, 'hold deleted', 'offer left'), 'hold expired', 'offer expired')
        else ${cause} end,
      case when ${cause} in ('hold expired', 'hold deleted') then o.hold_limit_at else now() end
        + make_interval(secs => ${holdMaxMinutes * 60})
    from unnest(${sql.param(holds.map((hold) => hold._id))}::uuid[], ${sql.param(holds.map((hold) => hold.userId))}::uuid[],
        ${sql.param(holds.map((hold) => hold.partId))}::uuid[]) h (_id, user_id, part_id)
      join ${users} u on u._id = h.user_id left join ${orders} o on o._id = h._id`)
}

/** Forgets what was noted of these orders: they are paid after all. */
export async function forgetAbandoned(tx: Transaction, orderIds: string[]): Promise<void> {
  await tx.delete(abandonedHolds).where(inArray(abandonedHolds.orderId, orderIds))
}
