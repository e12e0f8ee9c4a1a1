/**
 * `npm run go-live [-- --confirm]`: lists the demo content in the shop and, with --confirm, removes
 * it, so that the shop can take real cards.
 */
import pg from 'pg'
import { withDatabase } from '#server/commands/with-database.ts'
import { assertRestored } from '#server/data-folder.ts'
import { assertMigrated } from '#server/database/migrate.ts'
import { assertSameShop } from '#server/database/same-shop.ts'
import { processSettings, type Settings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { noteOnSample } from '#server/features/settings/store.ts'
import { secretAndImagesOf } from '#server/wiring.ts'
import { type Demo, listDemo, takeOutDemo } from './take-out-demo.ts'
import { withAdapters } from './with-adapters.ts'

const words = process.argv.slice(2)
const confirmed = words.includes('--confirm')
const name = 'npm run go-live'
const maxListed = 40

const list = (items: string[]) =>
  items.length > maxListed
    ? `${items.slice(0, maxListed).join(', ')} and ${items.length - maxListed} more`
    : items.join(', ')

/** Describes what is removed, one line each, and what the owner should know about what stays. */
function describe({ parts, reviews, people, orders, payments, restocked, staying }: Demo): string {
  const stock = restocked.map(
    ({ name: part, now, afterwards, counted }) =>
      `${part} ${now} → ${afterwards}${counted ? ' (corrected meanwhile: count it)' : ''}`,
  )
  return [
    parts.length > 0 && `${parts.length} parts: ${list(parts)}`,
    reviews > 0 && `${reviews} reviews`,
    people.length > 0 && `${people.length} accounts: ${list(people)}`,
    orders.length > 0 &&
      `${orders.length} orders with ${payments} payments, their refunds and stock movements: ${list(orders)}`,
    stock.length > 0 && `stock of your own parts, back to before those orders: ${list(stock)}`,
    staying > 0 &&
      `What stays: ${staying} orders that were paid at Stripe, their customers and parts.`,
  ]
    .filter((line) => line !== false)
    .map((line) => `  ${line}`)
    .join('\n')
}

/** @throws StartError while a process of the shop uses the database */
async function assertStopped(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'ferrite%'
       and application_name not like $1`,
    [`ferrite ${process.pid} %`],
  )
  if (rows.length === 0) return
  throw new StartError(`The shop runs: stop every process of it first; nothing was changed.`)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  client.on('error', () => {})
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Removes the files of pictures that no longer belong to anything. */
async function removePictures(settings: Settings, url: string, images: string[]): Promise<void> {
  await withAdapters(settings, url, async (deps) => {
    for (const image of images) {
      const { rowCount } = await deps.db.$client.query(
        `select from part_pictures where image = $1 union all select from orders where image = $1
         union all select from pictures where url = $1 limit 1`,
        [image],
      )
      if (rowCount === 0) await deps.images.remove(image)
    }
  })
}

async function goLive(settings: Settings, url: string): Promise<void> {
  await assertMigrated(url)
  await assertSameShop(url, await secretAndImagesOf(settings))
  if (!confirmed) {
    const summary = describe(await withClient(url, listDemo))
    const onSample = await withAdapters(settings, url, ({ db }) => noteOnSample(db))
    const next = `Nothing was changed. Make a backup, stop the shop, and take this out with: ${name} -- --confirm`
    console.log(
      summary
        ? `The demonstration left in this shop:\n\n${summary}\n\n${next}`
        : 'Nothing of a demonstration is in this shop.',
    )
    if (onSample) console.log(`\n${onSample}`)
    return
  }
  const { images, ...demo } = await withClient(url, async (client) => {
    await assertStopped(client)
    return takeOutDemo(client)
  })
  await removePictures(settings, url, images)
  console.log(
    `Taken out:\n\n${describe(demo) || '  nothing'}\n\nYour own parts, pictures and admins are as they were.`,
  )
}

async function run(): Promise<void> {
  const unknown = words.find((word) => word !== '--confirm')
  if (unknown) throw new StartError(`${unknown} is unknown: ${name} [-- --confirm]`)
  const settings = processSettings()
  assertRestored(settings.DATA_DIR)
  await withDatabase(settings, name, (url) => goLive(settings, url))
}

run().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
