import type { AdminPart } from '#contracts/parts.ts'
import { csvColumns } from '#contracts/parts-csv.ts'
import type { Columns } from '#server/http/lists.ts'

const columns: Columns<AdminPart> = Object.fromEntries(
  csvColumns.map((name) => [
    name,
    (part) => part[name === 'availableBefore' ? 'availableQuantity' : name],
  ]),
)

/** One line for each part, as POST /products/import reads it. */
export const partsAsCsv = { name: 'ferrite-products', columns }
