import { whole } from '#contracts/counted.ts'
import { readSpec } from '#contracts/kinds.ts'
import type { Currency } from '#contracts/money.ts'
import { detailsOf, type PartDetails, partFields } from '#contracts/parts.ts'
import {
  type BulkChange,
  type BulkEdit,
  type BulkReport,
  bulkLimit,
  type ImportRow,
  importLimits,
} from '#contracts/parts-csv.ts'
import type { Caller } from '#contracts/users.ts'
import { inBulk } from '#server/database/bulk-changes.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { listAdminParts } from '#server/features/catalogue/admin-store.ts'
import { differences } from '#server/features/catalogue/edit-part.ts'
import { checkSpecs, findKinds } from '#server/features/catalogue/kinds.ts'
import {
  type ChangedPart,
  changesText,
  correctionProblem,
  type ImportContext,
  type StoredPart,
} from './diff-csv.ts'
import { beginBatch, lockParts, updateParts } from './import-store.ts'
import { inTurns } from './in-turns.ts'
import { roundedPrice } from './parse-numbers.ts'

type Changed = { details: PartDetails; change: number } | { problem: string }

/** Applies the change to a part. Returns the new details, or why the change is not possible. */
function applyChange(part: StoredPart, change: BulkChange, kinds: ImportContext['kinds']): Changed {
  const details = detailsOf(part) as PartDetails
  if (change.what === 'stock') {
    const problem = correctionProblem(part, change.units)
    return problem ? { problem } : { details, change: change.units }
  }
  const to = (changed: Partial<PartDetails>) => ({ details: { ...details, ...changed }, change: 0 })
  if (change.what === 'state') return to({ state: change.state })
  if (change.what === 'weight') return to({ weightG: change.weightG })
  if (change.what === 'price') {
    const price = roundedPrice(part.price, {
      factor: 1 + change.percent / 100,
      round: change.round,
    })
    const { min, max } = partFields.price
    return price < min || price > max
      ? { problem: `Price must be from ${min} to ${whole(max)}` }
      : to({ price })
  }
  if (change.what === 'kind') {
    const kind = kinds.get(change.kind)
    return to({
      kind: kind?.name ?? change.kind,
      specs: checkSpecs(kind, change.kind, part.specs).specs,
    })
  }
  const { [change.key]: _, ...others } = part.specs
  if (change.value === '') return to({ specs: others })
  const field = kinds.get(part.kind)?.fields.find(({ key }) => key === change.key)
  if (!field) return { problem: `The category “${part.kind}” has no field “${change.key}”` }
  const read = readSpec(field, change.value)
  return 'problem' in read ? read : to({ specs: { ...others, [change.key]: read.value } })
}

/** The name of a change in the list of batches. */
const namesOf: Record<BulkChange['what'], (change: never) => string> = {
  price: ({ percent }: { percent: number }) => `Price by ${percent} %`,
  stock: ({ units }: { units: number }) => `Stock by ${units}`,
  state: ({ state }: { state: string }) => `State: ${state}`,
  kind: ({ kind }: { kind: string }) => `Category: ${kind}`,
  weight: ({ weightG }: { weightG: number }) => `${partFields.weightG.label}: ${weightG} g`,
  specification: ({ key, value }: { key: string; value: string }) => `${key}: ${value || 'empty'}`,
}

/** Compares the parts of the filter before and after the change, in the order of the list. */
async function compare(tx: Transaction, { filter, change }: BulkEdit, currency: Currency) {
  const listedParts = await listAdminParts(tx, {
    ...filter,
    limit: bulkLimit + 1,
    after: undefined,
  })
  if (listedParts.length > bulkLimit) {
    const max = whole(bulkLimit)
    throw new AppError(
      'TOO_LARGE',
      `The list shows more than ${max} products. Narrow it down first.`,
    )
  }
  const ids = listedParts.filter(({ deletedAt }) => deletedAt === null).map(({ _id }) => _id)
  const parts = [...(await lockParts(tx, ids)).values()].filter((part) => part.deletedAt === null)
  const named = [...parts.map(({ kind }) => kind), ...(change.what === 'kind' ? [change.kind] : [])]
  const kinds = await findKinds(tx, [...new Set(named)])
  const lines = new Map(ids.map((id, i) => [id, i + 1]))
  const changes: ChangedPart[] = []
  const rows: ImportRow[] = []
  const inOrder = parts.toSorted((a, b) => (lines.get(a._id) ?? 0) - (lines.get(b._id) ?? 0))
  await inTurns(inOrder, (part) => {
    const row = { line: lines.get(part._id) ?? 1, name: part.name }
    const after = applyChange(part, change, kinds)
    if ('problem' in after) {
      rows.push({ ...row, outcome: 'refused', changes: after.problem })
      return
    }
    const own = [kinds.get(part.kind), ...(change.what === 'kind' ? [kinds.get(change.kind)] : [])]
    const changed = differences(part, after.details, own)
    if (Object.keys(changed).length === 0 && after.change === 0) return
    changes.push({ line: row.line, part, changed, ...after })
    rows.push({ ...row, outcome: 'changed', changes: changesText(changed, after.change, currency) })
  })
  return { parts, changes, rows }
}

/**
 * Changes every part that a filter of the admin's list shows, in one transaction. Leaves parts
 * unchanged for which the change is not possible. Without `shown`, it is a preview and writes
 * nothing.
 * @throws AppError TOO_LARGE, or OUTDATED when the filter no longer shows as many parts as the
 *   admin saw
 */
export function bulkEdit(
  { db, currency }: { db: Database; currency: Currency },
  caller: Caller,
  edit: BulkEdit,
): Promise<BulkReport> {
  return inBulk(db, async (tx) => {
    const { parts, changes, rows } = await compare(tx, edit, currency)
    const shown = parts.length
    const report = {
      shown,
      changed: changes.length,
      refused: rows.filter(({ outcome }) => outcome === 'refused').length,
      rows: rows.slice(0, importLimits.shown),
      batch: null,
    }
    if (edit.shown === undefined || changes.length === 0) return report
    if (edit.shown !== shown) {
      const why = `The list now shows ${shown} products, not ${edit.shown}. Nothing was changed; preview it again.`
      throw new AppError('OUTDATED', why)
    }
    const name = namesOf[edit.change.what](edit.change as never)
    const batch = await beginBatch(tx, caller, { type: 'bulk edit', name })
    await updateParts(tx, caller, changes, { reason: 'bulk edit', batchId: batch })
    return { ...report, batch }
  })
}
