import type { AdminPart } from '#contracts/admin-parts.ts'
import type { CsvColumn } from '#contracts/parts-csv.ts'
import type { Cell } from '#server/http/csv.ts'

const columns: Record<CsvColumn, (part: AdminPart) => Cell> = {
  _id: ({ _id }) => _id,
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  description: ({ description }) => description,
  image: ({ image }) => image,
  price: ({ price }) => price,
  minimumOrderQuantity: ({ minimumOrderQuantity }) => minimumOrderQuantity,
  availableQuantity: ({ availableQuantity }) => availableQuantity,
  availableBefore: ({ availableQuantity }) => availableQuantity,
  version: ({ version }) => version,
  deletedAt: ({ deletedAt }) => deletedAt,
}

/** One line for each part, as POST /products/import reads it. */
export const partsAsCsv = { name: 'ferrite-products', columns }
