import { and, asc, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { OwnedPart, StockLine } from '#contracts/owned-parts.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { parts, stockMovements } from '#server/database/schema.ts'
import { partColumns } from './store.ts'

const ownedColumns = {
  ...partColumns,
  onHand: parts.onHand,
  reserved: parts.reserved,
  version: parts.version,
  deletedAt: parts.deletedAt,
}

const toOwned = <Row extends { deletedAt: Date | null }>(row: Row) => ({
  ...row,
  deletedAt: row.deletedAt?.toISOString() ?? null,
})

/** The parts on sale as admins see them, in the owner's order, those after the part with the id `after`. */
export async function listOwnedParts(
  db: Queryable,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<OwnedPart[]> {
  const from = sql`(select p.position from ${parts} p where p._id = ${after})`
  const rows = await db
    .select(ownedColumns)
    .from(parts)
    .where(and(isNull(parts.deletedAt), after ? sql`${parts.position} > ${from}` : undefined))
    .orderBy(asc(parts.position))
    .limit(limit)
  return rows.map(toOwned)
}

/** One part as admins see it, deleted ones too. */
export async function findOwnedPart(db: Queryable, id: string): Promise<OwnedPart | undefined> {
  const [part] = await db.select(ownedColumns).from(parts).where(eq(parts._id, id))
  return part && toOwned(part)
}

/** One part as admins see it, deleted ones too, locked until the transaction ends. */
export async function lockOwnedPart(tx: Transaction, id: string): Promise<OwnedPart | undefined> {
  const [part] = await tx
    .select(ownedColumns)
    .from(parts)
    .where(eq(parts._id, id))
    .for('no key update')
  return part && toOwned(part)
}

/** Does a part look like this, deleted ones too? */
export async function isShown(db: Queryable, image: string): Promise<boolean> {
  const rows = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(eq(parts.image, image))
    .limit(1)
  return rows.length > 0
}

export async function partExists(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.select({ _id: parts._id }).from(parts).where(eq(parts._id, id))
  return rows.length > 0
}

/** The stock ledger of a part, newest line first. @param after `_id` of the last line read */
export async function listStock(
  db: Queryable,
  partId: string,
  { limit, after }: { limit: number; after?: number | undefined },
): Promise<StockLine[]> {
  const rows = await db
    .select({
      _id: stockMovements._id,
      kind: stockMovements.kind,
      onHandDelta: stockMovements.onHandDelta,
      reservedDelta: stockMovements.reservedDelta,
      reason: stockMovements.reason,
      orderId: stockMovements.orderId,
      createdAt: stockMovements.createdAt,
    })
    .from(stockMovements)
    .where(
      and(
        eq(stockMovements.partId, partId),
        after === undefined ? undefined : lt(stockMovements._id, after),
      ),
    )
    .orderBy(desc(stockMovements._id))
    .limit(limit)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
