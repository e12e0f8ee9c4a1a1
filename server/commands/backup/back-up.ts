import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { copyPictures } from '#server/commands/copy-pictures.ts'
import { withDatabase } from '#server/commands/with-database.ts'
import { inOneSentence, makeFolder } from '#server/data-folder.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { assertSameShop } from '#server/database/same-shop.ts'
import type { Settings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { fingerprintOf, knownSecret } from '#server/secrets.ts'
import { type ImageSettings, imagesFor, secretAndImagesOf } from '#server/wiring.ts'
import { checksumOf, keepFile } from './files.ts'
import { type Manifest, writeManifest } from './manifest.ts'
import { dumpDatabase } from './rows.ts'

type Where = ImageSettings & Pick<Settings, 'DATABASE_URL' | 'APP_SECRET'>
type Files = Manifest['files']
type Backup = Omit<Manifest, 'product' | 'format'>

/** Copies the generated secret; a secret from the settings is the owner's to keep. */
async function keepSecret({ APP_SECRET, DATA_DIR }: Where, folder: string) {
  const secret = await knownSecret(APP_SECRET, join(resolve(DATA_DIR), 'secrets'))
  const files: Files = []
  if (!APP_SECRET) {
    await mkdir(join(folder, 'secrets'), { mode: 0o700 })
    const written = await keepFile(join(folder, 'secrets/app-secret'), [Buffer.from(secret)])
    files.push({ path: 'secrets/app-secret', ...written })
  }
  return { files, secretCheck: await fingerprintOf(secret) }
}

async function checksums(folder: string): Promise<Files> {
  const files: Files = []
  for (const name of await readdir(join(folder, 'images')))
    files.push({ path: `images/${name}`, ...(await checksumOf(join(folder, 'images', name))) })
  return files
}

async function fillFrom(client: pg.Client, url: string, where: Where, folder: string) {
  const images = imagesFor(where, client)
  const copies = imagesFor({ DATA_DIR: folder }, client)
  // before the snapshot, for pictures removed during it, and again after it, for new ones
  await copyPictures(images, copies)
  const { files, ...dump } = await dumpDatabase(url, folder)
  await copyPictures(images, copies)
  return { ...dump, files: [...files, ...(await checksums(folder))] }
}

async function fill(where: Where, folder: string, version: string): Promise<Backup> {
  const madeAt = new Date().toISOString()
  await mkdir(join(folder, 'images'), { mode: 0o700 })
  return withDatabase(where, 'npm run backup', async (url) => {
    await assertSameShop(url, await secretAndImagesOf(where))
    const { secretCheck, files: secret } = await keepSecret(where, folder)
    const client = new pg.Client({ connectionString: url, application_name: 'ferrite-backup' })
    client.on('error', () => {})
    await client.connect()
    try {
      const { files, ...dump } = await fillFrom(client, url, where, folder)
      const facts = { version, madeAt, ...dump, secretCheck, files: [...files, ...secret] }
      await writeManifest(folder, facts)
      // an older database cannot store this record; the dashboard then shows the earlier backup
      await noteRun(client, 'backup', {}).catch(() => {})
      return facts
    } finally {
      await client.end()
    }
  })
}

/**
 * Records a failed backup, if the database is reachable; otherwise, the owner gets a warning when
 * the last backup is old.
 */
export async function noteFailure(where: Where, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  const reason = message.split('\n')[0]?.slice(0, 300) ?? ''
  await withDatabase(where, 'npm run backup', async (connectionString) => {
    const client = new pg.Client({ connectionString, application_name: 'ferrite-backup' })
    client.on('error', () => {})
    await client.connect()
    await noteRun(client, 'backup_failure', { reason }).finally(() => client.end())
  })
}

async function makeBackup(where: Where, folder: string, version: string): Promise<Backup> {
  const draft = `${folder}.unfinished-${process.pid}`
  await inOneSentence(
    dirname(folder),
    async () => {
      await makeFolder(draft)
      await chmod(draft, 0o700)
    },
    'name another folder for the backup',
  )
  try {
    const backup = await fill(where, draft, version)
    await rename(draft, folder)
    const above = await open(dirname(folder))
    await above.sync().finally(() => above.close())
    return backup
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Makes a backup in a new folder: database, pictures and the generated secret, with checksums. The
 * shop may run meanwhile. The folder gets its name once everything is on disk, so that a partial
 * backup never looks complete. Records a failure in the database for the shop's owner.
 * @throws StartError when the folder exists or there is no shop
 */
export async function backUp(where: Where, target: string, version: string): Promise<Backup> {
  const folder = resolve(target)
  if (existsSync(folder)) {
    throw new StartError(`${folder} is there already: name a new folder for the backup.`)
  }
  try {
    return await makeBackup(where, folder, version)
  } catch (error) {
    await noteFailure(where, error).catch(() => {})
    throw error
  }
}
