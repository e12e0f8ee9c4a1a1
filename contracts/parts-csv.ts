/** Parts as CSV: GET /products.csv writes it, POST /products/import reads it. */
import { z } from 'zod'

export const importLimits = { bytes: 2 * 1024 * 1024, lines: 10_000, problems: 1000 } as const

/**
 * The columns of the sheet, as their first line names them. What is in the last three is there to be compared:
 * `availableBefore` is what was available when the sheet was written, so that a changed `availableQuantity` is a
 * correction by the difference, whatever was sold since.
 */
export const csvColumns = [
  '_id',
  'name',
  'kind',
  'description',
  'image',
  'price',
  'minimumOrderQuantity',
  'availableQuantity',
  'availableBefore',
  'version',
  'deletedAt',
] as const
export type CsvColumn = (typeof csvColumns)[number]

/** A dry run reports the changes and writes nothing. */
export const ImportQuery = z.object({
  dryRun: z.enum(['true', 'false'], 'must be true or false').default('false'),
})

/** `line` counts as spreadsheets do: the header is line 1. */
const ImportProblem = z.strictObject({
  line: z.int().min(1),
  field: z.string(),
  message: z.string(),
})
export type ImportProblem = z.infer<typeof ImportProblem>

/**
 * Of `lines` with parts, `added` are new and `updated` differ from the shop. With one problem nothing is written; the
 * report has the first 1000 problems.
 */
export const ImportReport = z.strictObject({
  lines: z.int().min(0),
  added: z.int().min(0),
  updated: z.int().min(0),
  problems: z.array(ImportProblem),
})
export type ImportReport = z.infer<typeof ImportReport>
