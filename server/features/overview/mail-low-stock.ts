import { sql } from 'drizzle-orm'
import { counted } from '#contracts/counted.ts'
import type { Database } from '#server/database/client.ts'
import { queueOwnerMail } from '#server/database/mail-queue.ts'
import { orders } from '#server/database/schema/orders.ts'
import { type Fact, mailTemplate } from '#server/mail/template.ts'
import { readLowStock } from './lists.ts'

/** Reads the shop's date by the database clock, and whether the shop has had an order. */
async function readDay(db: Database): Promise<{ today: string; hasOrders: boolean }> {
  const { rows } = await db.execute<{ today: string; hasOrders: boolean }>(sql`
    select shop_today()::text as today, exists (select from ${orders}) as "hasOrders"`)
  return rows[0] ?? { today: '', hasOrders: false }
}

const units = (count: number) => (count === 1 ? '1 left' : `${count} left`)

/**
 * Mails the owner the parts that are low in stock, at most once a day. Sends nothing before
 * the first booking, because the owner has just entered the stock.
 */
export async function mailLowStock({
  db,
  ownerMail,
  publicUrl,
}: {
  db: Database
  ownerMail: string | null
  publicUrl: string
}): Promise<void> {
  const [{ low, soldOut, rows }, { today, hasOrders }] = await Promise.all([
    readLowStock(db),
    readDay(db),
  ])
  const all = low + soldOut
  if (all === 0 || !hasOrders) return
  const facts = rows.map(
    ({ name, availableQuantity, minimumOrderQuantity }): Fact => [
      name,
      availableQuantity < minimumOrderQuantity ? 'sold out' : units(availableQuantity),
    ],
  )
  const mail = mailTemplate({
    subject: `Low in stock: ${counted(all, 'part')}`,
    lines: [`${low} can be booked only a few more times, ${soldOut} cannot be booked at all.`],
    facts: [
      ...facts,
      ...(all > rows.length ? ([['and', `${all - rows.length} more`]] as Fact[]) : []),
    ],
    action: { label: 'See them', url: `${publicUrl}/dashboard/manageProducts?state=low` },
  })
  const dedupe = `owner low stock ${today}`
  await queueOwnerMail(db, ownerMail, { template: 'owner-low-stock', dedupe, ...mail })
}
