import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import type { Kind } from '#contracts/kinds.ts'
import type { Differences } from '#contracts/part-changes.ts'
import {
  type AdminPart,
  editableFields,
  type PartDetails,
  type PartEdit,
  type StockCorrection,
} from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { AppError, found } from '#server/errors.ts'
import { checkPictures } from '#server/features/pictures/pictures.ts'
import { orNameTaken } from './add-part.ts'
import { lockAdminPart } from './admin-store.ts'
import { findKinds, inKind, specDifferences } from './kinds.ts'

/**
 * Finds the fields that an edit changes, with their values before and after. Each value of the
 * specification counts as a field.
 * @param kinds the kinds of the part before and after
 */
export function differences(
  part: PartDetails,
  details: PartDetails,
  kinds: readonly (Kind | undefined)[],
): Differences {
  const changed = editableFields.filter(
    (name) => name !== 'specs' && !isDeepStrictEqual(part[name], details[name]),
  )
  return {
    ...Object.fromEntries(
      changed.map((name) => [name, { from: part[name], to: details[name] }] as const),
    ),
    ...specDifferences(part.specs, details.specs, kinds),
  }
}

/** Corrects the stock. @returns the change in units; 0 when the count matches */
async function correctStock(
  tx: Transaction,
  part: AdminPart,
  { counted, reason, ...correction }: StockCorrection,
): Promise<number> {
  const change = counted === undefined ? (correction.change ?? 0) : counted - part.onHand
  if (change === 0) return 0
  const line = { partId: part._id, type: 'adjust', onHandDelta: change, reason } as const
  const corrected = tx.insert(stockMovements).values(line)
  await corrected.catch((error) => {
    if (!/^parts_(on_hand|reserved)$/.test(refusedBy(error) ?? '')) throw error
    const why = `There are ${part.onHand} units, and ${part.reserved} of them are held, offered or paid. You can remove at most ${part.onHand - part.reserved}.`
    const field = counted === undefined ? 'stock.change' : 'stock.counted'
    throw new AppError('STOCK_GONE', why, { [field]: why })
  })
  return change
}

/**
 * Edits a part on sale, unless it changed since the admin read it.
 * @throws AppError NOT_FOUND, OUTDATED, NAME_TAKEN, STOCK_GONE when a correction would take
 *   reserved units, or INVALID for an unknown picture, a value that the kind does not allow, or an
 *   available quantity that differs from the stored one
 */
export async function editPart(
  db: Database,
  caller: Caller,
  id: string,
  edit: PartEdit,
): Promise<void> {
  const { version, stock, availableQuantity, ...values } = edit
  const edited = db.transaction(async (tx) => {
    const part = await lockAdminPart(tx, id)
    const onSale = found(part?.deletedAt === null ? part : null, 'part')
    if (onSale.version !== version) {
      throw new AppError(
        'OUTDATED',
        'Another admin changed this product in the meantime, so your changes weren’t saved. Check it, then make your change again.',
      )
    }
    if (availableQuantity !== undefined && availableQuantity !== onSale.availableQuantity) {
      const why = 'Stock is changed by a stock movement'
      throw new AppError('INVALID', why, { availableQuantity: why })
    }
    const details = await inKind(tx, values)
    await checkPictures(tx, details, onSale)
    await tx
      .update(parts)
      .set({ ...details, version: sql`${parts.version} + 1` })
      .where(eq(parts._id, id))
    const change = stock ? await correctStock(tx, onSale, stock) : 0
    const kinds = await findKinds(tx, [onSale.kind, details.kind])
    const own = [kinds.get(onSale.kind), kinds.get(details.kind)]
    const detail = {
      ...differences(onSale, details, own),
      ...(change !== 0 && { stock: { change, reason: stock?.reason } }),
    }
    await logActions(tx, [{ actor: caller, action: 'part changed', partId: id, detail }])
  })
  await edited.catch(orNameTaken)
}
