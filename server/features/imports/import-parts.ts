import { counted } from '#contracts/counted.ts'
import type { Currency } from '#contracts/money.ts'
import { partFields, uniqueFields } from '#contracts/parts.ts'
import {
  type ImportProblem,
  type ImportReport,
  type ImportRow,
  importLimits,
  type Outcome,
  outcomes,
} from '#contracts/parts-csv.ts'
import type { Caller } from '#contracts/users.ts'
import { inBulk } from '#server/database/bulk-changes.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { AppError, found } from '#server/errors.ts'
import { findKinds, listKinds } from '#server/features/catalogue/kinds.ts'
import {
  type NamedPicture,
  notYetNamed,
  queueAddresses,
} from '#server/features/pictures/picture-queue.ts'
import { pictureGone, picturesOf, storedAmong } from '#server/features/pictures/pictures.ts'
import { type ChangedPart, type Compared, diffLine, type ImportContext } from './diff-csv.ts'
import {
  beginBatch,
  findSupplier,
  insertParts,
  listSuppliers,
  type Numbered,
  type PartRead,
  partsNumbered,
  readParts,
  updateParts,
  valuesTaken,
} from './import-store.ts'
import { inTurns } from './in-turns.ts'
import type { CsvLine } from './parse-csv.ts'
import type { PartsFile, ReadPartsFile } from './read-parts-file.ts'

const isDefined = <T>(value: T | undefined): value is T => value !== undefined

/**
 * Finds the part of a line: by its id, else by its SKU, EAN, or manufacturer's number and brand.
 */
function partFinder(parts: Numbered[]) {
  const by = (field: 'sku' | 'gtin' | 'mpn') =>
    Map.groupBy(
      parts.filter((part) => part[field] !== ''),
      (part) => part[field],
    )
  const [skus, gtins, mpns] = [by('sku'), by('gtin'), by('mpn')]
  // every line and every part may have the same number, so this must stay fast
  const ofMaker = Map.groupBy(parts, ({ mpn, brand }) => `${mpn} of ${brand}`)
  const sameNumber = (mpn: string, maker: string | undefined) =>
    maker
      ? [maker, ''].flatMap((brand) => ofMaker.get(`${mpn} of ${brand}`)?.slice(0, 2) ?? [])
      : (mpns.get(mpn) ?? [])
  return ({
    _id,
    sku,
    gtin,
    mpn,
    brand,
  }: CsvLine): { id?: string | undefined; problem?: string } => {
    if (_id) return { id: _id }
    const [bySku] = skus.get(sku?.toLowerCase() ?? '') ?? []
    const [byGtin] = gtins.get(gtin ?? '') ?? []
    if (bySku && byGtin && bySku !== byGtin)
      return { problem: 'Its SKU and EAN belong to two different products here.' }
    const one = bySku ?? byGtin
    if (one) return { id: one._id }
    const same = mpn ? sameNumber(mpn.toLowerCase(), brand?.toLowerCase()) : []
    if (same.length > 1)
      return { problem: 'Several products here have this manufacturer’s number.' }
    return { id: same[0]?._id }
  }
}

type Reading = Pick<ImportContext, 'plan' | 'labels' | 'currency'>

/**
 * Each cell of a file may have a problem, but the report shows only the first ones: lines after
 * those have one each, because of which they are refused.
 */
const mostMore = (shown: number) => (shown < importLimits.problems ? importLimits.problems : 1)

/** Compares the first line of each part, and refuses further lines of the same part. */
async function compare(
  tx: Transaction,
  lines: CsvLine[],
  shared: Reading,
  read: PartRead,
): Promise<Compared[]> {
  const { plan } = shared
  const targets = lines.map(partFinder(await partsNumbered(tx, lines)))
  const ids = new Set(targets.map(({ id }) => id).filter(isDefined))
  const parts = await readParts(tx, [...ids], read)
  const named = [...lines, ...parts.values()].map(({ kind }) => kind ?? partFields.kind.whenMissing)
  const context = {
    ...shared,
    kinds: await findKinds(tx, [...new Set(named)]),
    chosenKinds: new Set(Object.values(plan?.kinds ?? {})),
  }
  const lineOf = new Map<string, number>()
  const shown = { problems: 0, notes: 0 }
  const ofSpecs = plan?.unreadable === 'leave out' ? 'notes' : 'problems'
  return inTurns(lines, (csvLine, i) => {
    const { line, name = '' } = csvLine
    const { id, problem } = targets[i] ?? {}
    const before = id === undefined ? undefined : lineOf.get(id)
    const refused = problem ?? (before && `This product is already on line ${before}.`)
    if (refused) {
      const problems = [{ line, field: csvLine._id ? '_id' : 'sku', message: refused }]
      return {
        ...{ line, name, outcome: 'unknown', unique: [], changes: '', problems, notes: [] },
        pictures: [],
      }
    }
    if (id !== undefined) lineOf.set(id, line)
    const part = id === undefined ? undefined : parts.get(id)
    const compared = diffLine(csvLine, part, { ...context, most: mostMore(shown[ofSpecs]) })
    const problems = compared.problems.slice(0, mostMore(shown.problems))
    shown.problems += problems.length
    shown.notes += compared.notes.length
    return { ...compared, problems }
  })
}

async function uniqueProblems(tx: Transaction, compared: Compared[]): Promise<ImportProblem[]> {
  const takenValues = await valuesTaken(
    tx,
    compared.flatMap(({ unique }) => unique),
  )
  return takenValues.map(({ line, field, twin }) => {
    const what = field === 'name' ? 'name' : partFields[field].label
    const message = twin
      ? `The product on line ${twin} already has this ${what}. Choose a different one.`
      : `Another product already has this ${what}. Choose a different one, or give that product’s _id to change it.`
    return { line, field, message }
  })
}

async function pictureProblems(tx: Transaction, compared: Compared[]): Promise<ImportProblem[]> {
  const pictureFields = compared.flatMap(({ added, updated }) => [
    ...(added ? picturesOf(added.part).map((each) => ({ line: added.line, ...each })) : []),
    ...(updated?.changed.image || updated?.changed.morePictures
      ? picturesOf(updated.details).map((each) => ({ line: updated.line, ...each }))
      : []),
  ])
  const stored = await storedAmong(tx, [...new Set(pictureFields.map(({ image }) => image))])
  return pictureFields
    .filter(({ image }) => !stored.has(image))
    .map(({ line, field }) => ({ line, field, message: pictureGone }))
}

/**
 * Keeps only pictures that are still to be fetched. They count as a change of an otherwise
 * unchanged part.
 */
async function withNewPictures(tx: Transaction, compared: Compared[]): Promise<Compared[]> {
  const unfetched = new Set<NamedPicture>(
    await notYetNamed(
      tx,
      compared.flatMap(({ pictures }) => pictures),
    ),
  )
  return compared.map((line) => {
    const pictures = line.pictures.filter((each) => unfetched.has(each))
    if (pictures.length === 0) return { ...line, pictures }
    const fetched = `${counted(pictures.length, 'picture')} to fetch`
    const changes = [line.changes, fetched].filter(Boolean).join(', ')
    return {
      ...line,
      pictures,
      changes,
      outcome: line.outcome === 'same' ? 'changed' : line.outcome,
    }
  })
}

/** `refused` are the lines with a problem. */
type Checked = { compared: Compared[]; refused: Set<number>; report: ImportReport }

const isChange = ({ added, updated, pictures }: Compared) =>
  added !== undefined || updated !== undefined || pictures.length > 0

/** The rows of the report: the first ones of each outcome. */
function rowsOf(compared: Compared[], file: PartsFile, refused: Set<number>): ImportRow[] {
  const all: ImportRow[] = [
    ...compared.map(({ line, name, outcome: own, changes }) => {
      const outcome: Outcome = refused.has(line) || own === 'unknown' ? 'refused' : own
      return { line, outcome, name, changes }
    }),
    ...[...new Set(file.refused.map(({ line }) => line))].map((line) => {
      return { line, outcome: 'refused' as const, name: '', changes: '' }
    }),
  ].toSorted((a, b) => a.line - b.line)
  return outcomes
    .filter((outcome) => outcome !== 'same')
    .flatMap((outcome) => all.filter((row) => row.outcome === outcome).slice(0, importLimits.shown))
}

async function check(
  tx: Transaction,
  lines: CsvLine[],
  file: PartsFile,
  reading: Reading,
  read: PartRead,
): Promise<Checked> {
  const compared = await withNewPictures(tx, await compare(tx, lines, reading, read))
  const problems = [
    ...file.refused,
    ...compared.flatMap((line) => line.problems),
    ...(await uniqueProblems(tx, compared)),
    ...(await pictureProblems(tx, compared)),
  ].toSorted((a, b) => a.line - b.line)
  const refused = new Set(problems.map(({ line }) => line))
  const count = (outcome: Outcome) => compared.filter((line) => line.outcome === outcome).length
  const report: ImportReport = {
    lines: file.count,
    added: count('new'),
    updated: count('changed'),
    same: compared.filter(({ line, outcome }) => outcome === 'same' && !refused.has(line)).length,
    unmatched: count('unmatched'),
    refused: refused.size,
    right: compared.filter((line) => isChange(line) && !refused.has(line.line)).length,
    problems: problems.slice(0, importLimits.problems),
    notes: compared.flatMap(({ notes }) => notes).slice(0, importLimits.problems),
    rows: rowsOf(compared, file, refused),
    file: null,
    pictures: compared.filter(({ line }) => !refused.has(line)).flatMap((line) => line.pictures)
      .length,
    toShip: compared.reduce((sum, { toShip = 0 }) => sum + toShip, 0),
    batch: null,
  }
  return { compared, refused, report }
}

/**
 * Converts a unique violation to an AppError.
 * @throws AppError NAME_TAKEN, or the error unchanged
 */
function orTakenMeanwhile(error: unknown): never {
  if (!uniqueFields.some((name) => refusedBy(error) === `parts_${name}`)) throw error
  throw new AppError(
    'NAME_TAKEN',
    'Another admin just gave a product one of these names or numbers. Nothing was saved; import the file again.',
  )
}

/** A part of the file changed between reading and locking it. */
class ChangedMeanwhile extends Error {}

/**
 * Compares the accepted lines with their parts again, and locks these: they may have changed since.
 * This comes last, because bookings of them wait until the transaction ends.
 * @throws ChangedMeanwhile when a line has a problem now
 */
async function lockChanges(
  tx: Transaction,
  lines: CsvLine[],
  accepted: Compared[],
  reading: Reading,
): Promise<ChangedPart[]> {
  const idOf = new Map(
    accepted
      .map(({ updated }) => updated)
      .filter(isDefined)
      .map(({ line, part }) => [line, part._id]),
  )
  const changed = lines.flatMap((line) => {
    const _id = idOf.get(line.line)
    return _id ? [{ ...line, _id }] : []
  })
  const again = await compare(tx, changed, reading, 'locked')
  if (again.some(({ problems }) => problems.length > 0)) throw new ChangedMeanwhile()
  return again.map(({ updated }) => updated).filter(isDefined)
}

const empty = (problems: ImportProblem[], lines = 0): ImportReport => ({
  ...{ lines, added: 0, updated: 0, same: 0, unmatched: 0, refused: 0, right: 0 },
  ...{ problems, notes: [], rows: [], file: null, pictures: 0, toShip: 0, batch: null },
})

/** Returns the texts that name no kind of the shop. */
async function unknownKinds(tx: Transaction, texts: string[]): Promise<string[]> {
  const kinds = await findKinds(tx, texts)
  return texts.filter((text) => !kinds.has(text)).slice(0, 200)
}

export type ImportDeps = { db: Database; currency: Currency; readPartsFile: ReadPartsFile }

/** The number of parts written so far, and the total. */
export type ImportProgress = { done: number; total: number }

export type ImportOptions = {
  dryRun: boolean
  accept: 'all' | 'right'
  supplier?: string | undefined
  name: string
  onProgress?: ((progress: ImportProgress) => void) | undefined
}

/**
 * Reads the file in another process, before any lock.
 * @throws AppError NOT_FOUND for an unknown supplier
 */
async function readFile(deps: ImportDeps, bytes: Uint8Array, { supplier, dryRun }: ImportOptions) {
  const { db, currency } = deps
  const kinds = await listKinds(db)
  const isNamed = supplier !== undefined
  const suppliers = isNamed
    ? [found(await findSupplier(db, supplier), 'supplier')]
    : await listSuppliers(db)
  const { rows, result } = await deps.readPartsFile({
    bytes,
    kinds,
    suppliers,
    isNamed,
    currency,
    dryRun,
  })
  const labels = new Map(
    kinds.flatMap(({ fields }) => fields.map(({ key, label }) => [key, label] as const)),
  )
  return { lines: rows, result, labels }
}

/**
 * Adds and changes the parts of a file. If a line has a problem, it writes nothing or, with
 * `accept: 'right'`, only the lines without a problem. The dry run of an unknown supplier's file
 * suggests a plan to read it.
 * @throws AppError TOO_LARGE, NAME_TAKEN, NOT_FOUND
 */
export async function importParts(
  deps: ImportDeps,
  caller: Caller,
  bytes: Uint8Array,
  options: ImportOptions,
): Promise<ImportReport> {
  const { dryRun, accept, name, onProgress } = options
  const { lines, result, labels } = await readFile(deps, bytes, options)
  if ('invalid' in result) return empty([result.invalid])
  const { plan, supplier, problems } = result
  const write = async (tx: Transaction, read: PartRead): Promise<ImportReport> => {
    const file = result.file && {
      ...result.file,
      unknownKinds: await unknownKinds(tx, result.kindTexts),
    }
    if (problems.length > 0) return { ...empty(problems, result.count), file }
    const reading = { plan, labels, currency: deps.currency }
    const { compared, refused, report } = await check(tx, lines, result, reading, read)
    const isRefused = accept === 'all' && report.problems.length > 0
    if (dryRun || isRefused) return { ...report, file }
    const accepted = compared.filter((line) => isChange(line) && !refused.has(line.line))
    const added = accepted.map((line) => line.added).filter(isDefined)
    const changedCount = accepted.filter(({ updated }) => updated).length
    const pictures = accepted.flatMap((line) => line.pictures)
    if (accepted.length === 0) return { ...report, file }
    const total = added.length + changedCount
    let done = 0
    const count = (more: number) => {
      done += more
      onProgress?.({ done, total })
    }
    count(0)
    const batch = await beginBatch(tx, caller, { type: 'import', name: name || supplier || 'CSV' })
    await insertParts(tx, caller, added, batch, count)
    const changes =
      read === 'locked'
        ? accepted.map((line) => line.updated).filter(isDefined)
        : await lockChanges(tx, lines, accepted, reading)
    await updateParts(tx, caller, changes, {
      reason: 'import',
      batchId: batch,
      onProgress: count,
    })
    await queueAddresses(tx, caller, pictures, batch)
    const updated = accepted.length - added.length
    return { ...report, added: added.length, updated, file, pictures: pictures.length, batch }
  }
  const imported = inBulk(deps.db, (tx) => write(tx, 'free')).catch((error) => {
    if (error instanceof ChangedMeanwhile) return inBulk(deps.db, (tx) => write(tx, 'locked'))
    throw error
  })
  return imported.catch(orTakenMeanwhile)
}
