/**
 * Reads a parts file into lines, and decides on the plan: everything that an import does without
 * the database.
 */
import type { Kind } from '#contracts/kinds.ts'
import type { Currency } from '#contracts/money.ts'
import {
  columnOf,
  csvMessages,
  type ImportFile,
  type ImportPlan,
  type ImportProblem,
  type Supplier,
} from '#contracts/parts-csv.ts'
import { AppError } from '#server/errors.ts'
import { InvalidCsv } from '#server/http/csv.ts'
import { currencyProblems } from './file-currency.ts'
import { describeFile, fits, suggestPlan } from './import-plan.ts'
import { type CsvLine, parseLines } from './parse-csv.ts'
import { columnProblems, readTable, type Table } from './read-table.ts'

export type FileToRead = {
  bytes: Uint8Array
  /** All kinds of the shop. */
  kinds: Kind[]
  /**
   * Suppliers whose plans may fit, the most recently used first. `isNamed`: the admin chose the
   * first one.
   */
  suppliers: Supplier[]
  isNamed: boolean
  /** The shop's currency. */
  currency: Currency
  dryRun: boolean
}

export type PartsFile = {
  /** The number of lines with parts, including those that could not be parsed. */
  count: number
  /** The plan of the lines; undefined if the columns are the shop's own. */
  plan: ImportPlan | undefined
  supplier: string | null
  /** Problems of the file as a whole. If there is one, no lines are read. */
  problems: ImportProblem[]
  /** Problems of single lines. */
  refused: ImportProblem[]
  /** The file as the import screen shows it, without its unknown kinds. */
  file: Omit<ImportFile, 'unknownKinds'> | null
  /** Texts in the column of kinds. */
  kindTexts: string[]
}

/** Reads a file. `rows` are the lines. */
export type ReadPartsFile = (
  file: FileToRead,
) => Promise<{ rows: CsvLine[]; result: PartsFile | { invalid: ImportProblem } }>

/**
 * Reads the file with the shop's own columns. A supplier's file may fail here, because a title
 * above the table hides its separator.
 */
function readOwnFile({ bytes, kinds, dryRun }: FileToRead) {
  const keys = [...new Set(kinds.flatMap(({ fields }) => fields.map(({ key }) => key)))]
  try {
    const own = readTable(bytes, true)
    return { own, problems: columnProblems(own.names, keys) }
  } catch (error) {
    if (!dryRun || !(error instanceof InvalidCsv)) throw error
    return { problems: [{ line: error.line, field: '', message: error.message }] }
  }
}

type Reading = Pick<PartsFile, 'plan' | 'supplier' | 'problems'> & { table: Table }

/** Reads the table of the file, and finds the plan for its lines. */
function readingOf(file: FileToRead): Reading {
  const [named] = file.suppliers
  if (file.isNamed && named) {
    const table = readTable(file.bytes, false)
    const problems = currencyProblems(table, named.plan, file.currency)
    return { table, plan: named.plan, supplier: named.name, problems }
  }
  const { own, problems } = readOwnFile(file)
  if (own && (problems.length === 0 || !file.dryRun))
    return { table: own, plan: undefined, supplier: null, problems }
  const table = readTable(file.bytes, false)
  const match = file.suppliers.find((each) => fits(each.plan, table))
  const plan = match?.plan ?? suggestPlan(table, file.kinds)
  const foreign = currencyProblems(table, plan, file.currency)
  return {
    ...{ table, plan, supplier: match?.name ?? null },
    problems: match || foreign.length > 0 ? foreign : problems,
  }
}

/** Texts in the column of kinds. */
function kindTextsOf(table: Table, plan: ImportPlan | undefined): string[] {
  const column = plan
    ? table.names.findIndex((name) => columnOf(plan.columns, name) === 'kind')
    : -1
  if (column < 0) return []
  const texts = table.lines.map(({ cells }) => String(cells[column] ?? '').trim())
  return [...new Set(texts)].filter((text) => text !== '' && text.length <= 200)
}

/**
 * The most characters of all lines. Many cells of a workbook may refer to one long text, but each
 * line gets its own copy.
 */
const maxCharacters = 32_000_000

function assertCarriable(lines: CsvLine[]): void {
  let characters = 0
  for (const { specs, pictures, description = '' } of lines) {
    for (const text of [...Object.values(specs), ...pictures, description])
      characters += text.length
    if (characters > maxCharacters) throw new AppError('TOO_LARGE', csvMessages.tooMuchToRead)
  }
}

/** Reads a parts file. @throws AppError TOO_LARGE, InvalidCsv for anything that is not a table */
export function readPartsFile(file: FileToRead): { rows: CsvLine[]; result: PartsFile } {
  const { table, plan, supplier, problems } = readingOf(file)
  const parsed = problems.length > 0 ? { lines: [], problems: [] } : parseLines(table, plan)
  assertCarriable(parsed.lines)
  const result: PartsFile = {
    ...{ count: table.lines.length, plan, supplier, problems, refused: parsed.problems },
    file: plan ? describeFile(table, plan, supplier) : null,
    kindTexts: kindTextsOf(table, plan),
  }
  return { rows: parsed.lines, result }
}
