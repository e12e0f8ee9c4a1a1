import { type NewPart, uniqueFields } from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { AppError } from '#server/errors.ts'
import { checkPictures } from '#server/features/pictures/pictures.ts'
import { inKind } from './kinds.ts'

const kindChanged =
  'Another admin just changed this category’s fields. Nothing was saved; try again.'

const takenMessages = {
  name: 'Another product already has this name. Choose a different one.',
  sku: 'Another product already has this SKU. Choose a different one.',
  gtin: 'Another product already has this EAN.',
} as const

/**
 * Rethrows an error. Converts the database's refusal of a duplicate name, SKU or EAN to NAME_TAKEN,
 * and of a specification that does not fit the kind to INVALID.
 */
export function orNameTaken(error: unknown): never {
  if (refusedBy(error) === 'parts_specs_of_kind') throw new AppError('INVALID', kindChanged)
  const field = uniqueFields.find((name) => refusedBy(error) === `parts_${name}`)
  if (!field) throw error
  throw new AppError('NAME_TAKEN', takenMessages[field], { [field]: takenMessages[field] })
}

async function insertPart(
  tx: Transaction,
  { availableQuantity, ...part }: NewPart,
): Promise<string> {
  const [row] = await tx.insert(parts).values(part).returning({ _id: parts._id })
  if (!row) throw new Error('an insert answered no row')
  if (availableQuantity > 0) {
    await tx.insert(stockMovements).values({
      partId: row._id,
      type: 'receive',
      onHandDelta: availableQuantity,
      reason: 'first stock',
    })
  }
  return row._id
}

/**
 * Adds a part with its first stock.
 * @returns its id
 * @throws AppError NAME_TAKEN, or INVALID for an unknown picture or a value that the kind does not
 *   allow
 */
export async function addPart(db: Database, caller: Caller, newPart: NewPart): Promise<string> {
  const added = db.transaction(async (tx) => {
    const part = await inKind(tx, newPart)
    await checkPictures(tx, part)
    const partId = await insertPart(tx, part)
    const detail = { ...part }
    await logActions(tx, [{ actor: caller, action: 'part added', partId, detail }])
    return partId
  })
  return added.catch(orNameTaken)
}
