import { eq, sql } from 'drizzle-orm'
import type { CustomerPage } from '#contracts/desk.ts'
import { fromCents } from '#contracts/money.ts'
import type { Database } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { users } from '#server/database/schema/users.ts'
import { withTimes } from '#server/database/times.ts'
import { found } from '#server/errors.ts'
import { listTicketsOf } from '#server/features/tickets/store.ts'
import { listNotes } from './notes.ts'

/** What the shop knows of a customer, without the orders themselves. @throws AppError NOT_FOUND */
export async function readCustomer(db: Database, userId: string): Promise<CustomerPage> {
  const [user] = await db
    .select({
      _id: users._id,
      email: users.email,
      name: users.name,
      role: users.role,
      emailVerified: users.emailVerified,
      createdAt: users.createdAt,
      blockedAt: users.disabledAt,
    })
    .from(users)
    .where(eq(users._id, userId))
  // what it paid for shipping counts too, what was refunded of it does not
  const { rows } = await db.execute<{ orders: number; paidOrders: number; cents: string }>(sql`
    select count(*)::int as orders, count(transaction_id)::int as "paidOrders",
      coalesce((select sum(p.amount) from payments p join checkouts k on k._id = p.checkout_id
        where k.user_id = ${userId} and p.status = 'succeeded'), 0)
      - coalesce((select sum(r.amount) from refunds r join payments p using (intent_id) join checkouts k on k._id = p.checkout_id
        where k.user_id = ${userId} and p.status = 'succeeded' and r.state in ('pending', 'succeeded')), 0) as cents
    from ${orders} where user_id = ${userId} and status <> 'deleted'`)
  const { cents = '0', ...counts } = rows[0] ?? { orders: 0, paidOrders: 0 }
  return {
    user: withTimes(found(user, 'user')),
    ...counts,
    turnover: fromCents(Number(cents)),
    notes: await listNotes(db, { userId }, 'admin'),
    tickets: await listTicketsOf(db, { userId }),
  }
}
