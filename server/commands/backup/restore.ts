import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { readPictureName } from '#contracts/catalogue.ts'
import { createSchema as stripeTables } from '#sandbox/stripe/schema.ts'
import type { Images } from '#server/adapters/images/port.ts'
import { severalAtOnce } from '#server/commands/copy-pictures.ts'
import { assertRestored, openDataFolder, restoreMarker } from '#server/data-folder.ts'
import { assertReachable } from '#server/database/assert-reachable.ts'
import {
  appliedMigrations,
  knownMigrations,
  migrate,
  migrationsFolder,
  withMigrationsUpTo,
} from '#server/database/migrate.ts'
import { assertNoOtherShop, markPictures } from '#server/database/same-shop.ts'
import type { Settings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { fingerprintOf } from '#server/secrets.ts'
import { type ImageSettings, imagesFor } from '#server/wiring.ts'
import { checksumOf, copyFile } from './files.ts'
import { type Manifest, newer, older, readManifest, verifyFiles } from './manifest.ts'
import { loadDatabase } from './rows.ts'
import { ownTables, sqlName } from './tables.ts'

const secretPath = 'secrets/app-secret'

type Where = ImageSettings & Pick<Settings, 'DATABASE_URL' | 'APP_SECRET'>

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Checks that the shop keeps its secret, on which all sessions and tokens depend. */
async function checkSecret({ APP_SECRET }: Where, manifest: Manifest): Promise<void> {
  const isInBackup = manifest.files.some(({ path }) => path === secretPath)
  if (!APP_SECRET && isInBackup) return
  if (APP_SECRET && (await fingerprintOf(APP_SECRET)) === manifest.secretCheck) return
  throw new StartError(
    isInBackup
      ? 'APP_SECRET is not the secret of the backup, which has its own: leave APP_SECRET unset; nothing was changed.'
      : 'The shop of this backup had its APP_SECRET in its settings: set the same; nothing was changed.',
  )
}

/**
 * @throws StartError unless the folder is missing or empty; names with a dot and `lost+found` do
 * not count
 */
async function assertEmpty(dataDir: string): Promise<void> {
  assertRestored(dataDir)
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.every((name) => name.startsWith('.') || name === 'lost+found')) return
  throw new StartError(
    `The data folder ${dataDir} is not empty: set DATA_DIR to a new one; nothing was changed.`,
  )
}

/** @throws StartError when the database has rows of a shop, or belongs to a newer version */
async function assertNoShop(url: string, manifest: Manifest): Promise<void> {
  await connected(url, async (client) => {
    const tables = await ownTables(client)
    const conditions = tables.map((table) => `exists (select from ${sqlName(table)})`).join(' or ')
    const { rows } = await client.query(`select ${conditions || 'false'} as filled`)
    const ahead = (await appliedMigrations(client)).some((time) => time > manifest.migration)
    if (!rows[0].filled && !ahead) return
    throw new StartError(
      'The database of DATABASE_URL is not empty: name a new one; nothing was changed.',
    )
  })
}

/** Creates the card sandbox's tables, when the backup has rows for them. */
async function makeSandboxTables(url: string, { tables }: Manifest): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  try {
    if (tables.some(({ schema }) => schema === 'sandbox_stripe')) await stripeTables(pool)
  } finally {
    await pool.end()
  }
}

/** Loads the rows into the tables of the backup's version, then migrates them to this one. */
async function fillDatabase(
  url: string,
  folder: string,
  manifest: Manifest,
  migrations: string,
): Promise<void> {
  await withMigrationsUpTo(manifest.migration, (upTo) => migrate(url, upTo), migrations)
  await makeSandboxTables(url, manifest)
  await connected(url, (client) => loadDatabase(client, folder, manifest))
  await migrate(url, migrations)
  await connected(url, (client) => client.query('analyze'))
}

/** Stores the pictures that the store does not have yet, and reads each back. */
async function storePictures(folder: string, images: Images, { files }: Manifest): Promise<void> {
  const pictures = files.flatMap(({ path, sha256 }) => {
    const name = path.slice('images/'.length)
    const named = path.startsWith('images/') && readPictureName(name)
    return named ? [{ ...named, name, path: join(folder, path), sha256 }] : []
  })
  await severalAtOnce([...Map.groupBy(pictures, ({ id }) => id)], async ([id, pictureFiles]) => {
    const isThere = async () => {
      for (const { name, sha256 } of pictureFiles) {
        const bytes = (await images.read(name))?.bytes
        if (!bytes || createHash('sha256').update(bytes).digest('hex') !== sha256) return false
      }
      return true
    }
    if (await isThere()) return
    const whole = pictureFiles.map(async (file) => ({ ...file, bytes: await readFile(file.path) }))
    await images.save(await Promise.all(whole), id)
    if (await isThere()) return
    throw new StartError(`${images.where} does not give back what was written to it.`)
  })
}

/** Copies the secret, if the backup has it. */
async function copySecret(folder: string, dataDir: string, { files }: Manifest): Promise<void> {
  const secretFile = files.find(({ path }) => path === secretPath)
  if (!secretFile) return
  const copy = join(dataDir, secretPath)
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  await copyFile(join(folder, secretPath), copy)
  if ((await checksumOf(copy)).sha256 !== secretFile.sha256) {
    throw new StartError(`${copy} is not what was written to it: look at the disk.`)
  }
}

/** Changes the owner of root's new files to the owner of the data folder. */
async function giveToOwner(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  for (const each of ['images', 'secrets'].filter((name) => existsSync(join(dataDir, name)))) {
    await chown(join(dataDir, each), uid, gid)
    for (const name of await readdir(join(dataDir, each)))
      await chown(join(dataDir, each, name), uid, gid)
  }
}

/** The id of the shop in a backup; undefined when the shop never opened. */
async function shopIdIn(folder: string, { tables }: Manifest): Promise<string | undefined> {
  const table = tables.find(({ schema, name }) => schema === 'public' && name === 'shop')
  if (!table || table.rows === 0) return undefined
  const row = JSON.parse(gunzipSync(await readFile(join(folder, table.file))).toString())
  return row[table.columns.indexOf('shop_id')]
}

/** Before the restore, the database has no picture list to query. */
const noDatabase = { query: () => Promise.reject(new Error('there is no database yet')) }

/** Checks everything before anything is written. */
async function readiness(where: Where, folder: string, migrations: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const ownMigrations = knownMigrations(migrations)
  if (!ownMigrations.includes(manifest.migration)) {
    const isOlder = manifest.migration < (ownMigrations[0] ?? 0)
    throw (isOlder ? older : newer)(folder, manifest.version)
  }
  await checkSecret(where, manifest)
  await assertEmpty(resolve(where.DATA_DIR))
  if (where.DATABASE_URL) {
    await assertReachable(where.DATABASE_URL)
    await assertNoShop(where.DATABASE_URL, manifest)
  }
  await verifyFiles(folder, manifest)
  await assertNoOtherShop(imagesFor(where, noDatabase), await shopIdIn(folder, manifest))
  return manifest
}

/**
 * Restores a shop from a backup into an empty data folder and, with DATABASE_URL, an empty
 * database. Until it is complete, a marker in the folder keeps shops from opening.
 * @param migrations the folder of this version's migrations
 * @throws StartError when the backup is damaged, newer than this version, or the target is not
 * empty
 */
export async function restore(
  where: Where,
  backup: string,
  migrations = migrationsFolder,
): Promise<Manifest> {
  const folder = resolve(backup)
  const dataDir = resolve(where.DATA_DIR)
  const manifest = await readiness(where, folder, migrations)
  const embedded = where.DATABASE_URL
    ? null
    : await startEmbedded({ dataDir, log: () => {}, owner: 'npm run restore' })
  try {
    await openDataFolder(dataDir)
    await writeFile(restoreMarker(dataDir), '')
    const url = where.DATABASE_URL ?? embedded?.url ?? ''
    await fillDatabase(url, folder, manifest, migrations)
    await connected(url, async (client) => {
      const images = imagesFor(where, client)
      await storePictures(folder, images, manifest)
      await markPictures(url, images)
    })
    await copySecret(folder, dataDir, manifest)
    await giveToOwner(dataDir)
  } finally {
    await embedded?.stop()
  }
  await rm(restoreMarker(dataDir))
  return manifest
}
