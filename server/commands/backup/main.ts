/**
 * npm run backup and npm run restore: `main.ts backup|restore FOLDER`, with the settings of the
 * shop. `main.ts failed REASON` notes that what followed a backup failed, as its copying.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { processSettings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { elsewhereFile } from '#server/postgres/cluster.ts'
import { version } from '#server/version.ts'
import { backUp, noteFailure } from './back-up.ts'
import { restore } from './restore.ts'

const [command, folder] = process.argv.slice(2)

const pictures = (files: { path: string }[]) =>
  files.filter(({ path }) => path.startsWith('images/')).length

async function run(): Promise<void> {
  if (!folder) throw new StartError(`Name a folder: npm run ${command} -- FOLDER`)
  const settings = processSettings()
  if (command === 'failed') return noteFailure(settings, folder)
  const manifest =
    command === 'restore'
      ? await restore(settings, folder)
      : await backUp(settings, folder, version)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const dataDir = resolve(settings.DATA_DIR)
  const outside = elsewhereFile(dataDir)
  const place = existsSync(outside) ? `${dataDir} (its database: ${outside} says where)` : dataDir
  const what = `${rows} rows of ${manifest.tables.length} tables and ${pictures(manifest.files)} picture files`
  console.log(
    command === 'restore'
      ? `Restored ${what} of ${manifest.madeAt} into ${place}: npm start opens the shop.`
      : `Backed up ${what} to ${resolve(folder)}. It holds the shop's secrets: keep it where no one else can read it.`,
  )
}

run().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
