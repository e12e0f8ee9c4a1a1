import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { detailsOf, type PartDetails } from '#contracts/parts.ts'
import type { UndoReport } from '#contracts/parts-csv.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { inBulk } from '#server/database/bulk-changes.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { batches, batchParts } from '#server/database/schema/batches.ts'
import { parts } from '#server/database/schema/parts.ts'
import { AppError, found } from '#server/errors.ts'
import { differences } from '#server/features/catalogue/edit-part.ts'
import { checkSpecs, findKinds } from '#server/features/catalogue/kinds.ts'
import { unqueueBatch } from '#server/features/pictures/picture-queue.ts'
import { picturesOf, storedAmong } from '#server/features/pictures/pictures.ts'
import { type ChangedPart, correctionProblem, type StoredPart } from './diff-csv.ts'
import { lockParts, updateParts, valuesTaken } from './import-store.ts'
import { inTurns } from './in-turns.ts'

type Line = { part: StoredPart; before: PartDetails | null; change: number; version: number }

/** Returns why a part cannot be restored, or undefined. */
function refusal({ part, before, change, version }: Line): string | undefined {
  if (part.deletedAt) return 'It was deleted after this change.'
  if (part.version !== version) return 'It was changed again after this.'
  // a part that the batch added is deleted, and its stock stays
  return before ? correctionProblem(part, -change) : undefined
}

async function linesOf(tx: Transaction, batchId: string): Promise<Line[]> {
  const rows = await tx.select().from(batchParts).where(eq(batchParts.batchId, batchId))
  const locked = await lockParts(
    tx,
    rows.map(({ partId }) => partId),
  )
  return rows.flatMap(({ partId, ...line }) => {
    const part = locked.get(partId)
    return part ? [{ part, ...line }] : []
  })
}

/** The earlier pictures, without those that were removed meanwhile because no part showed them. */
function formerPictures(before: PartDetails, part: StoredPart, stored: Set<string>) {
  const { image, imageAlt } = stored.has(before.image) ? before : part
  const morePictures = before.morePictures.filter((each) => stored.has(each.image))
  return { image, imageAlt, morePictures }
}

/** Computes the changes that restore parts, as far as their kinds still have the fields. */
async function restoringChanges(tx: Transaction, lines: Line[]): Promise<ChangedPart[]> {
  const named = lines.flatMap(({ before }) => (before ? picturesOf(before) : []))
  const stored = await storedAmong(tx, [...new Set(named.map(({ image }) => image))])
  const kinds = await findKinds(tx, [
    ...new Set(lines.flatMap(({ part, before }) => (before ? [part.kind, before.kind] : []))),
  ])
  const changes = await inTurns(lines, ({ part, before, change }, line) => {
    if (!before) return []
    const { specs } = checkSpecs(kinds.get(before.kind), before.kind, before.specs)
    // a field that was added to parts since then keeps its value
    const was = { ...(detailsOf(part) as PartDetails), ...before }
    const details = { ...was, ...formerPictures(was, part, stored), specs }
    const changed = differences(part, details, [kinds.get(part.kind), kinds.get(before.kind)])
    return [{ line, part, details, changed, change: -change }]
  })
  return changes.flat()
}

async function deleteAdded(tx: Transaction, caller: Caller, added: StoredPart[]): Promise<void> {
  if (added.length === 0) return
  const ids = added.map(({ _id }) => _id)
  await tx
    .update(parts)
    .set({ deletedAt: sql`now()`, version: sql`${parts.version} + 1` })
    .where(inArray(parts._id, ids))
  await logActions(
    tx,
    added.map(({ _id, name }) => {
      return { actor: caller, action: 'part deleted', partId: _id, detail: { name } }
    }),
  )
}

/** Restored parts have the values of the batch before, so that batch can be undone next. */
async function reopenEarlier(
  tx: Transaction,
  batchId: string,
  changes: ChangedPart[],
): Promise<void> {
  const ids = changes.map(({ part }) => part._id)
  await tx.execute(sql`
    update ${batchParts} earlier set version = p.version
    from ${batchParts} undone join ${parts} p on p._id = undone.part_id
    where undone.batch_id = ${batchId} and undone.part_id in (select unnest(${sql.param(ids)}::uuid[]))
      and earlier.part_id = undone.part_id and earlier.batch_id <> undone.batch_id
      and earlier.version = undone.version - 1`)
}

/**
 * Undoes an import or a bulk edit in one transaction: restores the parts that it changed, and
 * deletes the parts that it added. Parts that changed since then stay unchanged.
 * @throws AppError NOT_FOUND, or INVALID for a batch that is already undone
 */
export function undoBatch(db: Database, caller: Caller, id: string): Promise<UndoReport> {
  return inBulk(db, async (tx) => {
    const [batch] = await tx.select().from(batches).where(eq(batches._id, id)).for('update')
    if (found(batch, 'batch').undoneAt)
      throw new AppError('INVALID', 'This has already been undone. Nothing was changed.')
    // runs first, so that a picture in progress is either on its part by now or is never added
    await unqueueBatch(tx, id)
    const all = (await linesOf(tx, id)).map((line) => ({ ...line, why: refusal(line) }))
    const undoable = all.filter(({ why }) => why === undefined)
    const restoring = await restoringChanges(tx, undoable)
    const takenValues = await valuesTaken(
      tx,
      restoring.flatMap(({ line, part, details, changed }) =>
        (['name', 'sku', 'gtin'] as const).flatMap((field) =>
          details[field]
            ? [{ line, id: part._id, field, value: details[field], isOld: !changed[field] }]
            : [],
        ),
      ),
    )
    const conflicts = new Map(takenValues.map(({ line, field }) => [line, field]))
    const changes = restoring.filter(({ line }) => !conflicts.has(line))
    await updateParts(tx, caller, changes, { reason: 'undone' })
    await reopenEarlier(tx, id, changes)
    const added = undoable.filter(({ before }) => !before).map(({ part }) => part)
    await deleteAdded(tx, caller, added)
    await tx
      .update(batches)
      .set({ undoneAt: sql`now()` })
      .where(and(eq(batches._id, id), isNull(batches.undoneAt)))
    const refused = [
      ...all.flatMap(({ part, why }) => (why ? [{ part, why }] : [])),
      ...restoring.flatMap(({ line, part }) =>
        conflicts.has(line)
          ? [{ part, why: `Another product now has its ${conflicts.get(line)}.` }]
          : [],
      ),
    ]
    return {
      undone: changes.length + added.length,
      refused: refused.map(({ part, why }) => ({
        partId: part._id,
        name: part.name,
        message: why,
      })),
    }
  })
}
