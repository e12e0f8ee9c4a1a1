/**
 * `npm run images -- copy FROM TO`: copies the pictures from one store to another, while the shop
 * runs with the first.
 */

import pg from 'pg'
import { counted } from '#contracts/counted.ts'
import type { Images } from '#server/adapters/images/port.ts'
import { withDatabase } from '#server/commands/with-database.ts'
import { assertRestored } from '#server/data-folder.ts'
import { assertMigrated } from '#server/database/migrate.ts'
import {
  assertNoOtherShop,
  assertSameShop,
  markPictures,
  shopIdOf,
} from '#server/database/same-shop.ts'
import { missingFor, pictureStores, processSettings, type Settings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { imagesFor, secretAndImagesOf } from '#server/wiring.ts'
import { copyPictures, type Progress } from './copy-pictures.ts'

const name = 'npm run images'
const usage = `Say what to copy: ${name} -- copy FROM TO, each one of ${pictureStores.join(', ')}.`
type Store = (typeof pictureStores)[number]
const isStore = (word: string | undefined): word is Store => pictureStores.includes(word as Store)

const barWidth = 30

/** Draws a bar on a terminal; elsewhere, prints a line for each tenth. */
function progressBar({ isTTY }: { isTTY?: boolean }) {
  let tenth = 0
  return ({ pictures, done, copied }: Progress) => {
    const full = Math.round((done / pictures) * barWidth)
    const progress = `${done} of ${pictures} pictures, ${copied} copied`
    if (isTTY) {
      const end = done === pictures ? '\n' : ''
      process.stdout.write(`\r${'█'.repeat(full).padEnd(barWidth, '░')} ${progress}${end}`)
    } else if (done === pictures || Math.floor((10 * done) / pictures) > tenth) {
      tenth = Math.floor((10 * done) / pictures)
      console.log(progress)
    }
  }
}

async function copy(settings: Settings, url: string, [from, to]: readonly [Store, Store]) {
  await assertMigrated(url)
  await assertSameShop(url, await secretAndImagesOf({ ...settings, IMAGES: from }))
  const pool = new pg.Pool({ connectionString: url, application_name: name, max: 2 })
  pool.on('error', () => {})
  const storeOf = (IMAGES: Store): Images => imagesFor({ ...settings, IMAGES }, pool)
  const target = storeOf(to)
  try {
    await assertNoOtherShop(target, await shopIdOf(url))
    const { pictures, copied } = await copyPictures(
      storeOf(from),
      target,
      progressBar(process.stdout),
    )
    // last, so that no shop starts with a partial copy
    await markPictures(url, target)
    console.log(
      `${counted(copied, 'picture')} copied: ${target.where} has all ${pictures} now. ${nextStep(settings, from, to)}`,
    )
  } finally {
    await pool.end()
  }
}

const nextStep = ({ IMAGES }: Settings, from: Store, to: Store) =>
  IMAGES === to
    ? `When no process of the shop has IMAGES=${from} any more, nothing is left to do.`
    : `Set IMAGES=${to}, restart every process of the shop, and run this once more for what was uploaded meanwhile.`

async function run(): Promise<void> {
  const [command, from, to, ...more] = process.argv.slice(2)
  if (command !== 'copy' || !isStore(from) || !isStore(to) || from === to || more.length > 0)
    throw new StartError(usage)
  const settings = processSettings()
  const missing = missingFor(from, settings) ?? missingFor(to, settings)
  if (missing) throw new StartError(missing)
  assertRestored(settings.DATA_DIR)
  await withDatabase(settings, name, (url) => copy(settings, url, [from, to]))
}

run().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
