import { randomUUID } from 'node:crypto'
import { asc, inArray, sql } from 'drizzle-orm'
import { editableFields, uniqueFields } from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { type AuditAction, logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import type { ChangedLine, NewLine, StoredPart, UniqueValue } from './diff-csv.ts'
import { detailColumns } from './store.ts'

/** An advisory lock that nothing else in the shop takes. */
const importLock = 20_260_311
/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const batch = 1000

async function inBatches<T>(all: T[], write: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < all.length; i += batch) await write(all.slice(i, i + batch))
}

/** Makes other imports wait until the transaction ends: two that lock the same parts would deadlock. */
export async function oneAtATime(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${importLock})`)
}

/** The parts of these ids by their ids, deleted ones too, locked until the transaction ends. */
export async function lockParts(tx: Transaction, ids: string[]): Promise<Map<string, StoredPart>> {
  const rows = await tx
    .select({
      _id: parts._id,
      ...detailColumns,
      onHand: parts.onHand,
      reserved: parts.reserved,
      version: parts.version,
      deletedAt: parts.deletedAt,
    })
    .from(parts)
    .where(inArray(parts._id, ids))
    .orderBy(asc(parts._id))
    .for('no key update')
  return new Map(rows.map((row) => [row._id, row]))
}

type Taken = Pick<UniqueValue, 'line' | 'field'> & { twin: number | null }

/** Lines whose name, SKU or EAN is taken: by the line `twin`, or (null) by a part that has no line. */
export async function valuesTaken(tx: Transaction, values: UniqueValue[]): Promise<Taken[]> {
  const of = async (field: UniqueValue['field']) => {
    const named = values.filter((each) => each.field === field)
    const ids = named.map(({ id }) => id).filter((id) => id !== null)
    const { rows } = await tx.execute<Taken>(sql`
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

/** Puts new parts on sale, in the order of their lines, each with its first stock. */
export async function insertParts(tx: Transaction, caller: Caller, news: NewLine[]): Promise<void> {
  await inBatches(news, async (some) => {
    const rows = some.map(({ part }) => ({ _id: randomUUID(), ...part }))
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
      return { actorId: caller._id, action: 'part added', partId, detail }
    })
    await logActions(tx, actions)
  })
}

/** The fields of a line `n` of JSON: written to their columns, and declared with the columns' types. */
const details = {
  assignments: sql.join(
    editableFields.map((name) => {
      const column = sql.identifier(detailColumns[name].name)
      return sql`${column} = n.${sql.identifier(name)}`
    }),
    sql`, `,
  ),
  types: sql.join(
    editableFields.map(
      (name) => sql`${sql.identifier(name)} ${sql.raw(detailColumns[name].getSQLType())}`,
    ),
    sql`, `,
  ),
}

/** Changes parts and corrects their stock. */
export async function updateParts(
  tx: Transaction,
  caller: Caller,
  changes: ChangedLine[],
): Promise<void> {
  // parts that swap their names or numbers would break the unique indexes halfway
  const renamed = changes.filter(({ changed }) => uniqueFields.some((name) => changed[name]))
  await inBatches(renamed, (some) =>
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
  await inBatches(changes, async (some) => {
    const rows = some.map(({ part: { _id }, details }) => ({ _id, ...details }))
    await tx.execute(sql`
      update ${parts} p set ${details.assignments}, version = p.version + 1
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(_id uuid, ${details.types})
      where p._id = n._id`)
    const corrections = some.filter(({ change }) => change !== 0)
    const lines = corrections.map(({ part, change }) => ({
      partId: part._id,
      type: 'adjust' as const,
      onHandDelta: change,
      reason: 'import',
    }))
    if (lines.length > 0) await tx.insert(stockMovements).values(lines)
    const actions = some.map(({ part, changed, change }): AuditAction => {
      const detail = { ...changed, ...(change !== 0 && { stock: { change, reason: 'import' } }) }
      return { actorId: caller._id, action: 'part changed', partId: part._id, detail }
    })
    await logActions(tx, actions)
  })
}
