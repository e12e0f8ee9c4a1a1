import { partFields, uniqueFields } from '#contracts/parts.ts'
import { type ImportProblem, type ImportReport, importLimits } from '#contracts/parts-csv.ts'
import type { Caller } from '#contracts/users.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { type Compared, diffLine } from './diff-csv.ts'
import { insertParts, lockParts, oneAtATime, updateParts, valuesTaken } from './import-store.ts'
import { findKinds, listKinds } from './kinds.ts'
import { type CsvLine, type PartsCsvFile, parsePartsCsv } from './parse-csv.ts'
import { pictureGone, storedAmong } from './pictures.ts'

const isThere = <T>(value: T | undefined): value is T => value !== undefined

/** Compares the first line of each part, and refuses a second one. */
async function compare(
  tx: Transaction,
  lines: CsvLine[],
): Promise<{ compared: Compared[]; repeated: ImportProblem[] }> {
  const parts = await lockParts(tx, [...new Set(lines.map(({ _id }) => _id).filter(isThere))])
  const named = [...lines, ...parts.values()].map(({ kind }) => kind ?? partFields.kind.whenMissing)
  const kinds = await findKinds(tx, [...new Set(named)])
  const lineOf = new Map<string, number>()
  const compared: Compared[] = []
  const repeated: ImportProblem[] = []
  for (const csvLine of lines) {
    const { _id = '', line } = csvLine
    const before = _id && lineOf.get(_id)
    if (before) {
      repeated.push({ line, field: '_id', message: `This part is on line ${before} already.` })
      continue
    }
    lineOf.set(_id, line)
    compared.push(diffLine(csvLine, parts.get(_id), kinds))
  }
  return { compared, repeated }
}

async function uniqueProblems(tx: Transaction, compared: Compared[]): Promise<ImportProblem[]> {
  const taken = await valuesTaken(
    tx,
    compared.flatMap(({ unique }) => unique),
  )
  return taken.map(({ line, field, twin }) => {
    const what = field === 'name' ? 'name' : partFields[field].label
    const message = twin
      ? `The part on line ${twin} has this ${what} already. Choose another ${what}.`
      : `There is a part of this ${what} already. Choose another ${what}, or give its _id to change it.`
    return { line, field, message }
  })
}

async function pictureProblems(tx: Transaction, compared: Compared[]): Promise<ImportProblem[]> {
  const shown = compared.flatMap(({ added, updated }) => [
    ...(added ? [{ line: added.line, image: added.part.image }] : []),
    ...(updated?.changed.image ? [{ line: updated.line, image: updated.details.image }] : []),
  ])
  const stored = await storedAmong(tx, [...new Set(shown.map(({ image }) => image))])
  return shown
    .filter(({ image }) => !stored.has(image))
    .map(({ line }) => ({ line, field: 'image', message: pictureGone }))
}

async function check(tx: Transaction, file: PartsCsvFile) {
  const { compared, repeated } = await compare(tx, file.lines)
  const problems = [
    ...file.problems,
    ...compared.flatMap((line) => line.problems),
    ...repeated,
    ...(await uniqueProblems(tx, compared)),
    ...(await pictureProblems(tx, compared)),
  ].toSorted((a, b) => a.line - b.line)
  const report: ImportReport = {
    lines: file.count,
    added: compared.filter(({ is }) => is === 'new').length,
    updated: compared.filter(({ is }) => is === 'changed').length,
    problems: problems.slice(0, importLimits.problems),
  }
  return { compared, report }
}

/** Rolls a dry run's transaction back. */
class DryRun extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('a dry run writes nothing')
    this.report = report
  }
}

/** @returns the report of a dry run @throws AppError NAME_TAKEN, and every other error as it is */
function reportOf(error: unknown): ImportReport {
  if (error instanceof DryRun) return error.report
  if (!uniqueFields.some((name) => refusedBy(error) === `parts_${name}`)) throw error
  throw new AppError(
    'NAME_TAKEN',
    'Another admin gave a part one of these names or numbers at this moment. Nothing was written; import the file again.',
  )
}

/**
 * Adds and changes the parts of a CSV file: all of them, or with one problem none. A dry run does the same and rolls back.
 * @throws AppError TOO_LARGE, NAME_TAKEN
 */
export async function importParts(
  db: Database,
  caller: Caller,
  bytes: Uint8Array,
  { dryRun }: { dryRun: boolean },
): Promise<ImportReport> {
  const keys = (await listKinds(db)).flatMap(({ fields }) => fields.map(({ key }) => key))
  const file = parsePartsCsv(bytes, [...new Set(keys)])
  const imported = db.transaction(async (tx) => {
    await oneAtATime(tx)
    const { compared, report } = await check(tx, file)
    if (report.problems.length > 0) return report
    await insertParts(tx, caller, compared.map(({ added }) => added).filter(isThere))
    await updateParts(tx, caller, compared.map(({ updated }) => updated).filter(isThere))
    if (dryRun) throw new DryRun(report)
    return report
  })
  return imported.catch(reportOf)
}
