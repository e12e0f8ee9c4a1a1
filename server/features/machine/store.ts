/** Reads and changes the parts of a customer's machine. */
import { and, asc, eq, sql } from 'drizzle-orm'
import {
  type MachineChange,
  type MachinePart,
  maxMachineParts,
  type PartByFields,
} from '#contracts/machine.ts'
import type { Database, Queryable, Transaction } from '#server/database/client.ts'
import { machineParts } from '#server/database/schema/machine.ts'
import { parts } from '#server/database/schema/parts.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import { type FitDeps, findFitParts, fitKinds } from '#server/features/fit/fit-parts.ts'
import { checkFields } from './machine-fields.ts'

const asAdded = [asc(machineParts.createdAt), asc(machineParts.name), asc(machineParts._id)]

/**
 * Lists the parts of a machine, the oldest first. Drafts have no page, so no number either, and what
 * they state is private unless the part was bought.
 */
export async function listMachine(deps: FitDeps, userId: string): Promise<MachinePart[]> {
  const rows = await deps.db
    .select({
      ...{ _id: machineParts._id, name: machineParts.name, quantity: machineParts.quantity },
      ...{ kind: machineParts.kind, specs: machineParts.specs, partId: machineParts.partId },
      number: sql<number | null>`case when ${parts.state} = 'on sale' then ${parts.number} end`,
      isBought: sql<boolean>`${machineParts.orderId} is not null`,
    })
    .from(machineParts)
    .leftJoin(parts, eq(parts._id, machineParts.partId))
    .where(eq(machineParts.userId, userId))
    .orderBy(...asAdded)
  const ids = rows.flatMap(({ partId, number, isBought }) =>
    partId && (isBought || number !== null) ? [partId] : [],
  )
  const stock =
    ids.length === 0
      ? []
      : await findFitParts(
          deps.db,
          await fitKinds(deps),
          sql`${parts._id} = any(${sql.param(ids)}::uuid[])`,
        )
  const byId = new Map(stock.map(({ _id, part: { kind, specs } }) => [_id, { kind, specs }]))
  return rows.map(({ kind, specs, partId, ...row }) => ({
    ...row,
    isByFields: kind !== null,
    fit: kind && specs ? { kind, specs } : (byId.get(partId ?? '') ?? null),
  }))
}

/** What 'Export my data' has of a machine. */
export const exportMachine = (db: Queryable, userId: string) =>
  db
    .select({
      ...{ name: machineParts.name, quantity: machineParts.quantity },
      ...{ kind: machineParts.kind, specs: machineParts.specs },
    })
    .from(machineParts)
    .where(eq(machineParts.userId, userId))
    .orderBy(...asAdded)

const of = (userId: string, _id: string) =>
  and(eq(machineParts.userId, userId), eq(machineParts._id, _id))

/** Inserts a part while its customer's row is locked, so that two cannot both be the last. */
function insertOne(
  db: Database,
  userId: string,
  insert: (tx: Transaction) => Promise<{ _id: string }[]>,
): Promise<string> {
  return db.transaction(async (tx) => {
    await tx.select({ _id: users._id }).from(users).where(eq(users._id, userId)).for('update')
    const [added] = await insert(tx)
    if ((await tx.$count(machineParts, eq(machineParts.userId, userId))) > maxMachineParts) {
      const why = `A machine can have up to ${maxMachineParts} parts. Remove one first.`
      throw new AppError('TOO_MANY', why)
    }
    return found(added, 'part')._id
  })
}

/**
 * Adds a part of the catalogue, even one that is no longer sold; one that was added before gets the
 * new quantity.
 * @throws AppError NOT_FOUND, TOO_MANY above `maxMachineParts`
 */
export const addByNumber = (db: Database, userId: string, number: number, quantity: number) =>
  insertOne(db, userId, async (tx) => {
    const [part] = await tx
      .select({ partId: parts._id, name: parts.name })
      .from(parts)
      .where(sql`${parts.number} = ${number} and ${parts.state} = 'on sale'`)
    return tx
      .insert(machineParts)
      .values({ userId, quantity, ...found(part, 'part') })
      .onConflictDoUpdate({
        target: [machineParts.userId, machineParts.partId],
        targetWhere: sql`${machineParts.orderId} is null`,
        set: { quantity },
      })
      .returning({ _id: machineParts._id })
  })

/**
 * Adds a part from elsewhere, whose specification was checked.
 * @throws AppError TOO_MANY above `maxMachineParts`
 */
export const addByFields = (db: Database, userId: string, part: PartByFields) =>
  insertOne(db, userId, (tx) =>
    tx
      .insert(machineParts)
      .values({ userId, ...part })
      .returning({ _id: machineParts._id }),
  )

/**
 * Changes how many there are of a part, or what its customer entered of it.
 * @returns whether there is such a part
 * @throws AppError INVALID for name or specs of a part of the catalogue, or wrong specs
 */
export async function changePart(
  db: Queryable,
  userId: string,
  _id: string,
  { specs, ...change }: MachineChange,
): Promise<boolean> {
  const [before] = await db
    .select({ kind: machineParts.kind })
    .from(machineParts)
    .where(of(userId, _id))
  if (!before) return false
  if (!before.kind && (specs ?? change.name) !== undefined)
    throw new AppError('INVALID', 'Its page says what this part is: only its quantity can change')
  const checked = specs && { specs: await checkFields(db, before.kind ?? '', specs) }
  const { rowCount } = await db
    .update(machineParts)
    .set({ ...change, ...checked })
    .where(of(userId, _id))
  return rowCount === 1
}

/** @returns whether there was such a part */
export async function removePart(db: Queryable, userId: string, _id: string): Promise<boolean> {
  const { rowCount } = await db.delete(machineParts).where(of(userId, _id))
  return rowCount === 1
}
