/** The manifest of a backup: `manifest.json` and its checksum, written last. */
import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readPictureName } from '#contracts/catalogue.ts'
import { StartError } from '#server/errors.ts'
import { checksumOf, keepFile } from './files.ts'
import { schemas } from './tables.ts'

const format = 1
const count = z.number().int().nonnegative()
const digest = z.string().regex(/^[0-9a-f]{64}$/)

const schema = z.string().refine((name) => schemas.includes(name))
const areAllOther = (names: string[]) => new Set(names).size === names.length

function isKnownPath(path: string): boolean {
  if (path.startsWith('images/')) return readPictureName(path.slice('images/'.length)) !== null
  return /^(database\/\w+\.\w+\.jsonl\.gz|secrets\/app-secret)$/.test(path)
}

const Manifest = z.strictObject({
  product: z.literal('ferrite'),
  format: z.literal(format),
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** the database's last migration: its time in drizzle/meta/_journal.json */
  migration: count,
  /** a fingerprint of the shop's secret */
  secretCheck: digest,
  tables: z
    .array(
      z.strictObject({
        schema,
        name: z.string(),
        columns: z.array(z.string()),
        rows: count,
        file: z.string(),
      }),
    )
    .refine((tables) => areAllOther(tables.map(({ schema, name }) => `${schema}.${name}`))),
  sequences: z.array(
    z.strictObject({
      schema,
      name: z.string(),
      last: z.string().regex(/^-?\d+$/),
    }),
  ),
  files: z
    .array(
      z.strictObject({
        // only paths of a shop's backup: none may point out of the folder
        path: z.string().refine(isKnownPath),
        bytes: count,
        sha256: digest,
      }),
    )
    .refine((files) => areAllOther(files.map(({ path }) => path))),
})
export type Manifest = z.infer<typeof Manifest>

const manifestName = 'manifest.json'
/** In the format of `sha256sum`, so that anybody can check it with `sha256sum -c`. */
const checksumName = 'manifest.json.sha256'

export async function writeManifest(
  folder: string,
  facts: Omit<Manifest, 'product' | 'format'>,
): Promise<void> {
  const text = `${JSON.stringify({ product: 'ferrite', format, ...facts }, null, 1)}\n`
  const { sha256 } = await keepFile(join(folder, manifestName), [Buffer.from(text)])
  await keepFile(join(folder, checksumName), [Buffer.from(`${sha256}  ${manifestName}\n`)])
}

/** The fields that every format has. */
const NewerFormat = z.looseObject({
  product: z.literal('ferrite'),
  format: z.number().gt(format),
  version: z.string(),
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const broken = (folder: string, why: string) =>
  new StartError(
    `The backup in ${folder} is damaged (${why}): take another one; nothing was changed.`,
  )

/**
 * Reads the manifest of a backup.
 * @throws StartError when it is not a backup, damaged, incomplete, or of a newer format
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const missing = () => null
  const text = await readFile(join(folder, manifestName)).catch(missing)
  if (!text) {
    throw new StartError(
      `There is no whole backup in ${folder}: it has no ${manifestName}; nothing was changed.`,
    )
  }
  const checksum = await readFile(join(folder, checksumName), 'utf8').catch(missing)
  const sha256 = createHash('sha256').update(text).digest('hex')
  if (checksum?.split(' ')[0] !== sha256)
    throw broken(folder, `${manifestName} is not as it was made`)
  const content = parse(text.toString())
  const later = NewerFormat.safeParse(content)
  if (later.success) throw newer(folder, later.data.version)
  const parsed = Manifest.safeParse(content)
  if (!parsed.success) throw broken(folder, `${manifestName} is not one of ours`)
  return parsed.data
}

/** The refusal of a backup from a newer version. */
export const newer = (folder: string, version: string) =>
  new StartError(
    `The backup in ${folder} was made by a newer Ferrite (${version}): restore it with that one; nothing was changed.`,
  )

/** The refusal of a backup whose tables no migration of this version creates. */
export const older = (folder: string, version: string) =>
  new StartError(
    `The backup in ${folder} was made by a Ferrite from before the first release (${version}), which this version cannot read: ` +
      'restore it with the version that made it; nothing was changed.',
  )

/** @throws StartError that names the first file that is missing or has changed since the backup */
export async function verifyFiles(folder: string, { files, tables }: Manifest): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    const missing = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw broken(folder, `${path} is missing`)
      throw error
    }
    const place = join(folder, path)
    // a symbolic link could point out of the backup
    if (!(await lstat(place).catch(missing)).isFile()) throw broken(folder, `${path} is no file`)
    const actual = await checksumOf(place)
    if (actual.sha256 !== sha256 || actual.bytes !== bytes)
      throw broken(folder, `${path} is not as it was made`)
  }
  const paths = new Set(files.map(({ path }) => path))
  const without = tables.find(({ file }) => !paths.has(file))
  if (without) throw broken(folder, `${without.file} has no checksum`)
}
