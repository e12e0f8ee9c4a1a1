/** npm run seed:large [-- folder]: a shop with 100,000 orders in a data folder of its own, ./data-large unless told. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { diskImages } from '#server/adapters/images/disk.ts'
import { migrate } from '#server/database/migrate.ts'
import { demoParts } from '#server/database/seed/parts.ts'
import { saveSeedImage } from '#server/database/seed/save-image.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { fillLargeShop, largeSize } from './large-shop.ts'

const root = join(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'data-large'))
if (existsSync(folder)) {
  console.error(`${folder} is there already: name another folder, or remove it first.`)
  process.exit(1)
}
const database = await startEmbedded({ dataDir: folder, log: console.log, owner: 'seed:large' })
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
try {
  await migrate(database.url)
  const images = diskImages(join(folder, 'images'))
  const drawings = join(root, 'server/database/seed/pictures')
  const urls: string[] = []
  for (const { picture } of demoParts)
    urls.push(await saveSeedImage(images, await readFile(join(drawings, picture))))
  console.log('Writing 100,000 users, 10,000 parts and 100,000 orders; this takes a minute or two')
  await fillLargeShop(pool, largeSize, urls)
  console.log(`Done. See it with: DATA_DIR=${folder} DEMO=off npm start`)
} finally {
  await pool.end()
  await database.stop()
}
