import { isDeepStrictEqual } from 'node:util'
import { asc, desc, eq, inArray, sql } from 'drizzle-orm'
import {
  detailsOf,
  type EditableField,
  editableFields,
  type PartDetails,
  partField,
  uniqueFields,
} from '#contracts/parts.ts'
import type { Batch, Supplier } from '#contracts/parts-csv.ts'
import type { Caller } from '#contracts/users.ts'
import { type AuditAction, logActions } from '#server/database/audit-log.ts'
import type { Database, Queryable, Transaction } from '#server/database/client.ts'
import { batches, batchParts, suppliers } from '#server/database/schema/batches.ts'
import { parts } from '#server/database/schema/parts.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { found } from '#server/errors.ts'
import { detailColumns } from '#server/features/catalogue/store.ts'
import type { AddedPart, ChangedPart, StoredPart, UniqueValue } from './diff-csv.ts'
import type { CsvLine } from './parse-csv.ts'

/**
 * Rows per statement. An import reports its progress after each one. PostgreSQL accepts 65,535
 * parameters.
 */
const rowsAtOnce = 250

async function inSteps<T>(all: T[], write: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < all.length; i += rowsAtOnce) await write(all.slice(i, i + rowsAtOnce))
}

/** Whether other transactions can change the parts until this one ends. */
export type PartRead = 'free' | 'locked'

/** Reads these parts, even deleted ones. Returns them by id. */
export async function readParts(
  tx: Transaction,
  ids: string[],
  read: PartRead,
): Promise<Map<string, StoredPart>> {
  const query = tx
    .select({
      _id: parts._id,
      ...detailColumns,
      onHand: parts.onHand,
      toShip: parts.toShip,
      reserved: parts.reserved,
      version: parts.version,
      deletedAt: parts.deletedAt,
    })
    .from(parts)
    .where(inArray(parts._id, ids))
    .orderBy(asc(parts._id))
  const rows = await (read === 'locked' ? query.for('no key update') : query)
  return new Map(rows.map((row) => [row._id, row]))
}

/** Locks these parts, even deleted ones, until the transaction ends. Returns them by id. */
export const lockParts = (tx: Transaction, ids: string[]): Promise<Map<string, StoredPart>> =>
  readParts(tx, ids, 'locked')

/** The numbers of a part that is not deleted, in lower case. */
export type Numbered = { _id: string } & Record<'sku' | 'mpn' | 'gtin' | 'brand', string>

/** Finds the parts that have one of the lines' numbers. */
export async function partsNumbered(tx: Transaction, lines: CsvLine[]): Promise<Numbered[]> {
  const of = (field: 'sku' | 'mpn' | 'gtin') => {
    const numbers = lines.map((line) => line[field]?.toLowerCase()).filter(Boolean)
    return sql.param([...new Set(numbers)])
  }
  const { rows } = await tx.execute<Numbered>(sql`
    select _id, lower(sku) as sku, lower(mpn) as mpn, gtin, lower(brand) as brand from ${parts}
    where deleted_at is null and (
      (sku <> '' and lower(sku) in (select unnest(${of('sku')}::text[])))
      or (gtin <> '' and gtin in (select unnest(${of('gtin')}::text[])))
      or (mpn <> '' and lower(mpn) in (select unnest(${of('mpn')}::text[]))))`)
  return rows
}

type TakenValue = Pick<UniqueValue, 'line' | 'field'> & { twin: number | null }

/**
 * Finds lines whose name, SKU or EAN is taken: by the line `twin` or, if that is null, by a part
 * that has no line.
 */
export async function valuesTaken(tx: Transaction, values: UniqueValue[]): Promise<TakenValue[]> {
  const of = async (field: UniqueValue['field']) => {
    const named = values.filter((each) => each.field === field)
    const ids = named.map(({ id }) => id).filter((id) => id !== null)
    const { rows } = await tx.execute<TakenValue>(sql`
      with named as (
        select line, lower(value) as value,
          first_value(line) over (partition by lower(value) order by "isOld" desc, line) as first
        from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n(line int, value text, "isOld" boolean))
      select line, ${field} as field, nullif(first, line) as twin from named
      where first <> line or value in (
        select lower(p.${sql.identifier(field)}) from ${parts} p where p.deleted_at is null
          and p._id not in (select unnest(${sql.param(ids)}::uuid[])))`)
    return rows
  }
  return (await Promise.all(uniqueFields.map(of))).flat()
}

/** Receives the number of parts written since the last call. */
export type OnProgress = (more: number) => void

/**
 * Adds new parts in the order of their lines, each with its first stock.
 * @param batchId the batch that can be undone
 */
export async function insertParts(
  tx: Transaction,
  caller: Caller,
  addedParts: AddedPart[],
  batchId: string,
  onProgress: OnProgress = () => {},
): Promise<void> {
  await inSteps(addedParts, async (some) => {
    const rows = some.map(({ _id, part }) => ({ _id, ...part }))
    await tx.insert(parts).values(rows.map(({ availableQuantity: _, ...row }) => row))
    const first = { type: 'receive', reason: 'first stock' } as const
    const stocked = rows.filter(({ availableQuantity }) => availableQuantity > 0)
    const lines = stocked.map(({ _id: partId, availableQuantity: onHandDelta }) => ({
      ...first,
      partId,
      onHandDelta,
    }))
    if (lines.length > 0) await tx.insert(stockMovements).values(lines)
    const actions = rows.map(({ _id: partId, ...detail }): AuditAction => {
      return { actor: caller, action: 'part added', partId, detail }
    })
    await logActions(tx, actions)
    const put = rows.map(({ _id: partId, availableQuantity: change }) => {
      return { batchId, partId, before: null, change, version: 1 }
    })
    await tx.insert(batchParts).values(put)
    onProgress(some.length)
  })
}

const isAmount = (name: EditableField) => partField(name).format === 'amount'

/**
 * SQL that assigns a field of the JSON row `n` to its column. JSON has amounts, columns have cents.
 */
const assignmentOf = (name: EditableField) => {
  const column = sql.identifier(detailColumns[name].name)
  const value = sql`n.${sql.identifier(name)}`
  return isAmount(name) ? sql`${column} = ${value} * 100` : sql`${column} = ${value}`
}
/** SQL that declares the field with its column's type. */
const declarationOf = (name: EditableField) =>
  sql`${sql.identifier(name)} ${sql.raw(isAmount(name) ? 'numeric' : detailColumns[name].getSQLType())}`

const isUnique = (name: EditableField) => uniqueFields.some((unique) => unique === name)

/**
 * The fields that change in any of these parts. Columns that are not written fire no triggers and
 * update no indexes.
 */
const written = (changes: ChangedPart[]) =>
  editableFields.filter((name) =>
    changes.some(
      ({ part, details, changed }) =>
        !isDeepStrictEqual(part[name], details[name]) ||
        (isUnique(name) && uniqueFields.some((unique) => changed[unique])),
    ),
  )

/**
 * Changes parts and corrects their stock.
 * @param reason the reason for the stock corrections
 * @param batchId the batch that can be undone
 */
export async function updateParts(
  tx: Transaction,
  caller: Caller,
  changes: ChangedPart[],
  {
    reason,
    batchId,
    onProgress = () => {},
  }: { reason: string; batchId?: string; onProgress?: OnProgress },
): Promise<void> {
  // parts that swap names or numbers would violate the unique indexes halfway, so clear these first
  const renamed = changes.filter(({ changed }) => uniqueFields.some((name) => changed[name]))
  await inSteps(renamed, (some) =>
    tx
      .update(parts)
      .set({ name: sql`${parts._id}::text`, sku: '', gtin: '' })
      .where(
        inArray(
          parts._id,
          some.map(({ part }) => part._id),
        ),
      ),
  )
  await inSteps(changes, async (some) => {
    const names = written(some)
    const assignments = [sql`version = p.version + 1`, ...names.map(assignmentOf)]
    const declarations = [sql`_id uuid`, ...names.map(declarationOf)]
    const rows = some.map(({ part: { _id }, details }) => ({
      _id,
      ...Object.fromEntries(names.map((name) => [name, details[name]])),
    }))
    await tx.execute(sql`
      update ${parts} p set ${sql.join(assignments, sql`, `)}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(${sql.join(declarations, sql`, `)})
      where p._id = n._id`)
    const corrections = some.filter(({ change }) => change !== 0)
    const lines = corrections.map(({ part, change }) => ({
      partId: part._id,
      type: 'adjust' as const,
      onHandDelta: change,
      reason,
    }))
    if (lines.length > 0) await tx.insert(stockMovements).values(lines)
    const actions = some.map(({ part, changed, change }): AuditAction => {
      const detail = { ...changed, ...(change !== 0 && { stock: { change, reason } }) }
      return { actor: caller, action: 'part changed', partId: part._id, detail }
    })
    await logActions(tx, actions)
    if (batchId) {
      const put = some.map(({ part, change }) => {
        return {
          batchId,
          partId: part._id,
          before: detailsOf(part) as PartDetails,
          change,
          version: part.version + 1,
        }
      })
      await tx.insert(batchParts).values(put)
    }
    onProgress(some.length)
  })
}

/** Inserts a batch. @returns its id */
export async function beginBatch(
  tx: Transaction,
  caller: Caller,
  { type, name }: Pick<Batch, 'type' | 'name'>,
): Promise<string> {
  const values = { type, name, createdBy: caller._id }
  const [row] = await tx.insert(batches).values(values).returning({ _id: batches._id })
  return found(row, 'batch')._id
}

/** Lists the last batches, newest first. */
export async function listBatches(db: Queryable): Promise<Batch[]> {
  const { rows } = await db.execute<
    Omit<Batch, 'at' | 'undoneAt'> & Record<'at' | 'undoneAt', string>
  >(sql`
    select b._id, b.type, b.name, case when u.deleted_at is null then u.email else u.name end as by, b.created_at as at, b.undone_at as "undoneAt",
      (count(p.part_id) filter (where p.before is null))::int as added,
      (count(p.part_id) filter (where p.before is not null))::int as updated
    from (select * from ${batches} order by created_at desc limit 20) b
      join users u on u._id = b.created_by left join ${batchParts} p on p.batch_id = b._id
    group by b._id, b.type, b.name, u._id, b.created_at, b.undone_at order by b.created_at desc`)
  return rows.map((row) => ({
    ...row,
    at: new Date(row.at).toISOString(),
    undoneAt: row.undoneAt && new Date(row.undoneAt).toISOString(),
  }))
}

/** Lists the suppliers, the most recently used first. */
export const listSuppliers = (db: Queryable): Promise<Supplier[]> =>
  db
    .select({ name: suppliers.name, plan: suppliers.plan })
    .from(suppliers)
    .orderBy(desc(suppliers.usedAt), suppliers.name)

export async function findSupplier(db: Queryable, name: string): Promise<Supplier | undefined> {
  const [supplier] = await db
    .select({ name: suppliers.name, plan: suppliers.plan })
    .from(suppliers)
    .where(eq(suppliers.name, name))
  return supplier
}

/** Saves the plan of a supplier's files. */
export async function saveSupplier(
  db: Database,
  caller: Caller,
  { name, plan }: Supplier,
): Promise<void> {
  await db.transaction(async (tx) => {
    const values = { name, plan, usedAt: sql`now()` }
    await tx
      .insert(suppliers)
      .values(values)
      .onConflictDoUpdate({ target: suppliers.name, set: values })
    await logActions(tx, [
      { actor: caller, action: 'supplier saved', userId: caller._id, detail: { name } },
    ])
  })
}
