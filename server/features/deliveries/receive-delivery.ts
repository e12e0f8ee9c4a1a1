/**
 * The life of a delivery: an admin adds it, receives it in one or more steps, and cancels the rest.
 */
import { eq, sql } from 'drizzle-orm'
import type { NewDelivery, Receipt } from '#contracts/deliveries.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { deliveries, deliveryLines } from '#server/database/schema/deliveries.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { AppError, found } from '#server/errors.ts'
import { lockDelivery, partsAmong } from './store.ts'

const noSuchPart = 'The shop no longer has this product. Remove the line.'

/** Adds an expected delivery. @returns its id @throws AppError INVALID for an unknown part */
export async function addDelivery(
  db: Database,
  caller: Caller,
  { lines, ...delivery }: NewDelivery,
): Promise<string> {
  return db.transaction(async (tx) => {
    const existing = await partsAmong(
      tx,
      lines.map(({ partId }) => partId),
    )
    const unknown = lines.flatMap(({ partId }, i) => (existing.has(partId) ? [] : [i]))
    if (unknown.length > 0) {
      const fields = unknown.map((i) => [`lines.${i}.partId`, noSuchPart])
      throw new AppError('INVALID', noSuchPart, Object.fromEntries(fields))
    }
    const [row] = await tx
      .insert(deliveries)
      .values({ ...delivery, createdBy: caller._id })
      .returning({ _id: deliveries._id })
    const { _id } = found(row, 'delivery')
    await tx
      .insert(deliveryLines)
      .values(lines.map((line, place) => ({ ...line, place, deliveryId: _id })))
    const name = [delivery.supplier, delivery.reference].filter(Boolean).join(', ')
    await logActions(
      tx,
      lines.map(({ partId, quantity }) => ({
        actor: caller,
        action: 'goods expected',
        partId,
        detail: { delivery: name, quantity },
      })),
    )
    return _id
  })
}

const meanwhile =
  'Another admin received goods from this delivery in the meantime, so yours weren’t saved. Check it and try again.'

/**
 * Receives units of a delivery into the stock ledger, all lines or none.
 * @throws AppError NOT_FOUND, OUTDATED when a line has changed since the caller read it, INVALID
 *   for more units than are expected
 */
export async function receiveDelivery(
  db: Database,
  caller: Caller,
  id: string,
  receipt: Receipt,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { name, lines } = found(await lockDelivery(tx, id), 'delivery')
    const received = new Map(receipt.lines.map((line) => [line.lineId, line]))
    // by part id, as every transaction locks parts
    const coming = lines.flatMap((line) => {
      const now = received.get(line._id)
      return now ? [{ ...line, now }] : []
    })
    if (coming.length < received.size) throw new AppError('NOT_FOUND', 'There is no such line')
    if (coming.some(({ received, now }) => received !== now.received))
      throw new AppError('OUTDATED', meanwhile)
    for (const { quantity, received, canceled, now } of coming) {
      const left = quantity - received - canceled
      const why = `Only ${left} of this line are still to come.`
      if (now.quantity > left) throw new AppError('INVALID', why, { [`lines.${now.lineId}`]: why })
    }
    await tx.insert(stockMovements).values(
      coming.map(({ _id, partId, now }) => ({
        partId,
        type: 'receive' as const,
        onHandDelta: now.quantity,
        deliveryLineId: _id,
      })),
    )
    await logActions(
      tx,
      coming.map(({ partId, now }) => ({
        actor: caller,
        action: 'goods received',
        partId,
        detail: { delivery: name, quantity: now.quantity },
      })),
    )
  })
}

/**
 * Cancels the units that have not arrived.
 * @returns the number of lines
 * @throws AppError NOT_FOUND
 */
export async function cancelDelivery(db: Database, caller: Caller, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { name, lines } = found(await lockDelivery(tx, id), 'delivery')
    const open = lines.flatMap(({ _id, partId, quantity, received, canceled }) => {
      const left = quantity - received - canceled
      return left > 0 ? [{ _id, partId, left }] : []
    })
    for (const { _id, left } of open)
      await tx
        .update(deliveryLines)
        .set({ canceled: sql`${deliveryLines.canceled} + ${left}` })
        .where(eq(deliveryLines._id, _id))
    await logActions(
      tx,
      open.map(({ partId, left }) => ({
        actor: caller,
        action: 'goods canceled',
        partId,
        detail: { delivery: name, quantity: left },
      })),
    )
    return open.length
  })
}
