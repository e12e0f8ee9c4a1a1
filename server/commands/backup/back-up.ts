import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { readPictureName } from '#contracts/catalogue.ts'
import { withDatabase } from '#server/commands/with-database.ts'
import { inOneSentence, makeFolder } from '#server/data-folder.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { assertSameShop } from '#server/database/same-shop.ts'
import type { Settings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { belongingsOf, fingerprintOf, knownSecret } from '#server/secrets.ts'
import { dumpDatabase } from './dump.ts'
import { copyFile, keepFile } from './files.ts'
import { type Manifest, writeManifest } from './manifest.ts'

type Where = Pick<Settings, 'DATA_DIR' | 'DATABASE_URL' | 'APP_SECRET'>
type Files = Manifest['files']
type Backup = Omit<Manifest, 'product' | 'format'>

/** Copies the generated secret; the owner keeps one from the settings. */
async function keepSecret({ APP_SECRET, DATA_DIR }: Where, folder: string) {
  const secret = await knownSecret(APP_SECRET, join(resolve(DATA_DIR), 'secrets'))
  const files: Files = []
  if (!APP_SECRET) {
    await mkdir(join(folder, 'secrets'), { mode: 0o700 })
    const kept = await keepFile(join(folder, 'secrets/app-secret'), [Buffer.from(secret)])
    files.push({ path: 'secrets/app-secret', ...kept })
  }
  return { files, secretCheck: await fingerprintOf(secret) }
}

/** Copies pictures that are not in `copied` yet. Files never change; one may be removed meanwhile. */
async function copyPictures(dataDir: string, folder: string, copied: Map<string, Files[number]>) {
  const images = join(dataDir, 'images')
  if (!existsSync(images)) return
  for (const name of await readdir(images)) {
    // other files are unfinished or not the shop's
    if (!readPictureName(name) || copied.has(name)) continue
    const path = `images/${name}`
    const source = join(images, name)
    try {
      copied.set(name, { path, ...(await copyFile(source, join(folder, path))) })
    } catch (error) {
      if (existsSync(source)) throw error
      await rm(join(folder, path), { force: true })
    }
  }
}

/** Notes the backup in the shop. It is complete even if an older database cannot store the note. */
async function noteBackup(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-backup' })
  client.on('error', () => {})
  try {
    await client.connect()
    await noteRun(client, 'backup', {})
  } catch {
    // the dashboard shows the earlier backup
  } finally {
    await client.end()
  }
}

async function fill(where: Where, folder: string, version: string): Promise<Backup> {
  const madeAt = new Date().toISOString()
  const dataDir = resolve(where.DATA_DIR)
  const copied = new Map<string, Files[number]>()
  await mkdir(join(folder, 'images'), { mode: 0o700 })
  return withDatabase(where, 'npm run backup', async (url) => {
    await assertSameShop(url, await belongingsOf(where))
    const secret = await keepSecret(where, folder)
    // before the snapshot, for pictures removed during it, and again after it, for new ones
    await copyPictures(dataDir, folder, copied)
    const { files, ...dump } = await dumpDatabase(url, folder)
    await copyPictures(dataDir, folder, copied)
    const all = [...files, ...copied.values(), ...secret.files]
    const { secretCheck } = secret
    const facts = { version, madeAt, ...dump, secretCheck, files: all }
    await writeManifest(folder, facts)
    await noteBackup(url)
    return facts
  })
}

/**
 * Makes a backup in a new folder: database, pictures and the generated secret, with checksums. The shop may run meanwhile. The
 * folder gets its name once everything is on disk, so that half a backup never looks complete.
 * @throws StartError when the folder exists or there is no shop
 */
export async function backUp(where: Where, target: string, version: string): Promise<Backup> {
  const folder = resolve(target)
  if (existsSync(folder)) {
    throw new StartError(`${folder} is there already: name a new folder for the backup.`)
  }
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
    const made = await fill(where, draft, version)
    await rename(draft, folder)
    const above = await open(dirname(folder))
    await above.sync().finally(() => above.close())
    return made
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
