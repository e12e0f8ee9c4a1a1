/**
 * Parts as files. GET /products.csv exports CSV; POST /products/import reads CSV and XLSX, the
 * shop's own files or a supplier's.
 */

import { z } from 'zod'
import { Id } from './api.ts'
import type { ErrorBody } from './errors.ts'
import { line } from './line.ts'
import { PartFilter } from './lists.ts'
import { fieldNames, type PartField, partRules, StockChange } from './parts.ts'

export const importLimits = {
  bytes: 8 * 1024 * 1024,
  lines: 10_000,
  /** Problems, and likewise notes, in a report. */
  problems: 1000,
  /** Lines per outcome that a report shows. */
  shown: 200,
  /** Characters of one cell. */
  cell: 64 * 1024,
  /** Characters of one cell of the specification. */
  spec: 500,
  /** Picture addresses in one line. */
  addresses: 100,
} as const

/**
 * Messages that refuse a whole file. The browser checks the size before the upload; the server
 * checks everything.
 */
export const csvMessages = {
  tooLarge: `The file is larger than ${importLimits.bytes / 1024 / 1024} MB. Split the file.`,
  noTable: 'We can’t read this file as a table. Use CSV, or XLSX saved by a spreadsheet.',
  oldWorkbook:
    'This is an Excel 97–2003 workbook (.xls), or it has a password. Save it as XLSX without a password, and use that.',
  binaryWorkbook: 'This is a binary workbook (.xlsb). Save it as XLSX, and use that.',
  openDocument: 'This is a LibreOffice file (.ods). Save it as XLSX or CSV, and use that.',
  webPage:
    'This is really a web page or XML file. Open it in a spreadsheet, save it as XLSX, and use that.',
  pdf: 'This is a PDF. Ask your supplier for CSV or XLSX.',
  zip: 'This is a ZIP without a workbook. Unpack it, and use the CSV or XLSX inside.',
  damaged: 'This workbook is damaged or incomplete. Save it as XLSX again, or use CSV.',
  bomb: 'This workbook unpacks to far more than any product list. Save the product sheet as CSV, and use that.',
  empty: 'This workbook is empty.',
  quotation: 'We can’t read the file from here on: check the quotation marks.',
  cellTooLong: `A cell in this line has more than ${importLimits.cell / 1024} KB of text. Shorten it.`,
  lineTooLong: `This line has more than ${importLimits.cell / 1024} KB. Shorten it, or look for an unclosed quotation mark.`,
  tooMuchToRead:
    'This file takes too long or too much memory to read. Save the product sheet as CSV, or split the file.',
} as const

/** One column per field, except the specification, which has one column per key. */
export const csvFields = fieldNames.filter((name) => name !== 'specs')
export type CsvColumn =
  | '_id'
  | Exclude<PartField, 'specs'>
  | 'availableBefore'
  | 'version'
  | 'deletedAt'

/**
 * Finds the shop's column for a column of a file. `Object.hasOwn` guards against a column called
 * 'constructor'.
 */
export const columnOf = (columns: Record<string, string>, name: string): string | undefined =>
  Object.hasOwn(columns, name) ? columns[name] : undefined

/** The column of a kind's field, such as `spec:length_mm`. */
export const specColumn = (key: string): string => `spec:${key}`

/** A cell with this text removes the part's value; an empty cell leaves it unchanged. */
export const noValue = '-'

/**
 * The columns of an export, in the order of its header. Those after the part's fields serve to
 * detect changes. `availableBefore` is the available quantity at the time of the export, so that an
 * edited `availableQuantity` is imported as a correction by the difference, whatever was sold
 * since.
 */
export const csvColumns: readonly CsvColumn[] = [
  '_id',
  ...csvFields,
  'availableBefore',
  'version',
  'deletedAt',
]

/** The column with units counted on the shelf, including held ones. Only imports have it. */
export const countedColumn = 'onHand'

/** The columns of a part's stock. */
export const stockColumns: readonly string[] = [countedColumn, 'availableQuantity']

/**
 * The column with addresses to fetch a part's pictures from, separated by `|`. Only imports have
 * it.
 */
export const pictureAddress = 'pictureAddress'

const short = (max: number) => line('', max)

/**
 * How computed prices are rounded: to the cent, to the nearest whole number, up to a whole number,
 * or up to one that ends in 9.
 */
export const roundings = ['cent', 'nearest', 'up', 'nine'] as const
export type Rounding = (typeof roundings)[number]

/** How the files of a supplier are read. */
export const ImportPlan = z.strictObject({
  columns: z
    .record(short(200), short(60))
    .refine((columns) => Object.keys(columns).length <= 500, 'must be 500 columns or fewer')
    .describe(
      'For each column of the file the column of the shop that it is, such as `price`, `onHand` or `spec:length_mm`; empty for one to ignore.',
    ),
  decimals: z.enum(['auto', 'point', 'comma']).describe('The decimal sign of numbers in texts.'),
  price: z
    .strictObject({
      from: z.enum(['price', 'cost']),
      factor: z.number().min(0.01, 'must be 0.01 or more').max(100, 'must be 100 or less'),
      round: z.enum(roundings),
    })
    .describe(
      'A price is `from` × `factor`: to the cent, or whole: the nearest, the next, or the next that ends in 9.',
    ),
  kind: short(40).describe('The kind of lines without one.'),
  kinds: z.record(short(200), short(40)).describe('What the supplier’s kinds are called here.'),
  newParts: z.enum(['on sale', 'draft', 'skip']).describe('What lines that match no part become.'),
  known: z
    .enum(['everything', 'price and stock'])
    .describe('What lines change in parts that exist.'),
  unreadable: z
    .enum(['leave out', 'refuse'])
    .describe('What happens to a value that a part can do without.'),
})
export type ImportPlan = z.infer<typeof ImportPlan>

/** PUT /supplier */
export const Supplier = z
  .strictObject({ name: short(60).min(1, 'Supplier is required'), plan: ImportPlan })
  .describe('A supplier, and how its files are read.')
  .meta({
    examples: [
      {
        name: 'Northgate',
        plan: {
          columns: { Article: 'sku', Title: 'name', Dealer: 'cost', Stock: countedColumn },
          decimals: 'auto',
          price: { from: 'cost', factor: 1.25, round: 'nine' },
          kind: 'fan',
          kinds: { Lüfter: 'fan' },
          newParts: 'draft',
          known: 'price and stock',
          unreadable: 'leave out',
        },
      },
    ],
  })
export type Supplier = z.infer<typeof Supplier>

/**
 * The query of POST /products/import. A dry run reports what the file would change and writes
 * nothing.
 */
export const ImportQuery = z.object({
  dryRun: z.enum(['true', 'false'], 'must be true or false').default('false'),
  accept: z
    .enum(['all', 'right'], 'must be all or right')
    .default('all')
    .describe(
      '`all` writes everything or, with one problem, nothing; `right` every line without a problem.',
    ),
  supplier: short(60)
    .optional()
    .describe('Reads the file as this supplier’s. Without it the columns are the shop’s own.'),
  name: short(200).default('').describe('The name of the file, for the list of imports.'),
})
export type ImportQuery = z.infer<typeof ImportQuery>

/** `line` is numbered as in spreadsheets: the header is line 1. */
const ImportProblem = z.strictObject({
  line: z.int().min(1),
  field: z.string(),
  message: z.string(),
})
export type ImportProblem = z.infer<typeof ImportProblem>

export const outcomes = ['new', 'changed', 'same', 'unmatched', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

const ImportRow = z.strictObject({
  line: z.int().min(1),
  outcome: z.enum(outcomes),
  name: z.string(),
  /** The changes of the part: 'Price: $100 → $120'. */
  changes: z.string(),
})
export type ImportRow = z.infer<typeof ImportRow>

const ImportFile = z
  .strictObject({
    columns: z.array(z.strictObject({ name: z.string(), samples: z.array(z.string()) })),
    /** Texts of the kind column that name no kind of this shop. */
    unknownKinds: z.array(z.string()),
    supplier: z.string().nullable(),
    plan: ImportPlan,
  })
  .describe('A supplier’s file: its columns, and how to read it, as remembered or suggested.')
export type ImportFile = z.infer<typeof ImportFile>

export const ImportReport = z
  .strictObject({
    lines: z.int().min(0),
    added: z.int().min(0),
    updated: z.int().min(0),
    same: z.int().min(0),
    unmatched: z.int().min(0),
    refused: z.int().min(0),
    right: z.int().min(0),
    problems: z.array(ImportProblem),
    notes: z.array(ImportProblem),
    rows: z.array(ImportRow),
    file: ImportFile.nullable(),
    pictures: z.int().min(0),
    toShip: z.int().min(0),
    batch: Id.nullable(),
  })
  .describe(
    `Of \`lines\` with parts, \`added\` are new and \`updated\` differ from the shop, \`same\` do not; \`right\` of the first two have no problem. The report has the first ${importLimits.problems} problems and notes, and of each outcome the first ${importLimits.shown} lines. \`pictures\` are fetched from addresses in the background. \`toShip\` units are paid and not shipped yet, of parts whose counted stock changes: they lie on the shelf, and a count includes them. \`batch\` undoes what was written.`,
  )
export type ImportReport = z.infer<typeof ImportReport>

/**
 * The media type with which a client requests the progress of an import: one line of JSON per step,
 * the last with the report.
 */
export const importEvents = 'application/x-ndjson'
export type ImportEvent = { done: number; total: number } | { report: ImportReport } | ErrorBody

/** The most parts that one bulk edit changes. */
export const bulkLimit = 2000

const percent = z
  .number('Percent must be a number')
  .min(-90, 'Percent must be -90 or more')
  .max(900, 'Percent must be 900 or less')

const BulkChange = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('price'),
    percent,
    round: z.enum(roundings),
  }),
  z.strictObject({ what: z.literal('stock'), units: StockChange }),
  z.strictObject({ what: z.literal('state'), state: partRules.state }),
  z.strictObject({ what: z.literal('kind'), kind: partRules.kind }),
  z.strictObject({ what: z.literal('weight'), weightG: partRules.weightG }),
  z.strictObject({
    what: z.literal('specification'),
    key: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'is not the key of a field'),
    value: short(500).describe('As in a CSV file; empty removes it.'),
  }),
])
export type BulkChange = z.infer<typeof BulkChange>

/** POST /products/bulk */
export const BulkEdit = z
  .strictObject({
    filter: PartFilter,
    change: BulkChange,
    shown: z
      .int()
      .min(0)
      .optional()
      .describe('How many parts the preview had; without it nothing is written.'),
  })
  .meta({
    examples: [{ filter: { q: 'fan' }, change: { what: 'price', percent: 5, round: 'nine' } }],
  })
export type BulkEdit = z.infer<typeof BulkEdit>

export const BulkReport = z
  .strictObject({
    shown: z.int().min(0),
    changed: z.int().min(0),
    refused: z.int().min(0),
    rows: z.array(ImportRow),
    batch: Id.nullable(),
  })
  .describe(
    `Of the parts that the filter shows, \`changed\` differ afterwards. \`rows\` are the first ${importLimits.shown} of these and of the refused ones, \`line\` their place in the list.`,
  )
export type BulkReport = z.infer<typeof BulkReport>

/** GET /batches: imports and bulk edits. */
export const Batch = z
  .strictObject({
    _id: Id,
    type: z.enum(['import', 'bulk edit']),
    name: z.string(),
    by: z.string(),
    at: z.iso.datetime(),
    added: z.int().min(0),
    updated: z.int().min(0),
    undoneAt: z.iso.datetime().nullable(),
  })
  .describe(
    'Parts that were added and changed at once. `name` is that of the file, or what was changed.',
  )
export type Batch = z.infer<typeof Batch>

export const UndoReport = z
  .strictObject({
    undone: z.int().min(0),
    refused: z.array(z.strictObject({ partId: Id, name: z.string(), message: z.string() })),
  })
  .describe('`refused` are parts that changed since: they stay as they are.')
export type UndoReport = z.infer<typeof UndoReport>
