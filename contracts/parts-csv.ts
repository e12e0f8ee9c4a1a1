/** Parts as CSV: GET /products.csv writes it, POST /products/import reads it. */
import { z } from 'zod'
import { fieldNames, type PartField } from './parts.ts'

export const importLimits = { bytes: 2 * 1024 * 1024, lines: 10_000, problems: 1000 } as const

/** Sentences about the file as a whole. The browser says them before it sends a file, the server in any case. */
export const csvMessages = {
  tooLarge: `The file is larger than ${importLimits.bytes / 1024 / 1024} MB. Send it in parts.`,
  notUtf8: 'The file is not in UTF-8. Save it as “CSV UTF-8”.',
} as const

/** The column of each field but the specification, which has one for each of its keys. */
export const csvFields = fieldNames.filter((name) => name !== 'specs')
export type CsvColumn =
  | '_id'
  | Exclude<PartField, 'specs'>
  | 'availableBefore'
  | 'version'
  | 'deletedAt'

/** `spec:length_mm`: the column of a field of a kind. */
export const specColumn = (key: string): string => `spec:${key}`

/** Says in a cell that the part shall have no value; an empty cell leaves what it has. */
export const noValue = '-'

/**
 * The columns, as the first line of the file names them. Those after the part's fields serve a comparison:
 * `availableBefore` is what was available when the file was written, so that a changed `availableQuantity` is a
 * correction by the difference, whatever was sold since.
 */
export const csvColumns: readonly CsvColumn[] = [
  '_id',
  ...csvFields,
  'availableBefore',
  'version',
  'deletedAt',
]

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

export const ImportReport = z
  .strictObject({
    lines: z.int().min(0),
    added: z.int().min(0),
    updated: z.int().min(0),
    problems: z.array(ImportProblem),
  })
  .describe(
    'Of `lines` with parts, `added` are new and `updated` differ from the shop. With one problem nothing is written; the report has the first 1000 problems.',
  )
export type ImportReport = z.infer<typeof ImportReport>
