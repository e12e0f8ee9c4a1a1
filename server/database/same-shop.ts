/**
 * Processes of one shop share a database, a secret and a folder of pictures. A process with another secret would refuse users
 * whom the others admit, and one with another folder would show no pictures: it must not open.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { makeFolder } from '#server/data-folder.ts'
import { StartError } from '#server/errors.ts'

export type Belongings = {
  /** of this process's secret; undefined when it has none yet */
  fingerprint: string | undefined
  /** where the secret comes from, in words */
  secret: string
  /** the folder of its pictures */
  images: string
}

type Shop = { shopId: string; fingerprint: string }

/** An advisory lock for processes that open a new shop together. */
const lock = 0x5b0b

export const shopIdFile = (images: string): string => join(images, 'shop-id')

const readShopId = (images: string): Promise<string | null> =>
  readFile(shopIdFile(images), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )

async function readShop(client: pg.Client): Promise<Shop | undefined> {
  const { rows } = await client.query<Shop>(
    `select shop_id::text as "shopId", secret_fingerprint as fingerprint from shop`,
  )
  return rows[0]
}

/** Writes the shop's id into its folder of pictures, whole or not at all. */
export async function writeShopId(images: string, shopId: string): Promise<void> {
  await makeFolder(images)
  const draft = `${shopIdFile(images)}.${process.pid}`
  await writeFile(draft, `${shopId}\n`)
  await rename(draft, shopIdFile(images))
}

/** @throws StartError unless secret and pictures are those of the shop in the database */
async function assertBelongs(shop: Shop, { fingerprint, secret, images }: Belongings) {
  if (fingerprint !== shop.fingerprint) {
    throw new StartError(
      `${secret} is not the secret of the shop in this database: set the APP_SECRET, or bring back the file secrets/app-secret, ` +
        'that every process of the shop has. To change the secret for good, which logs everybody out, stop all of them ' +
        'and start one with npm start -- --new-secret.',
    )
  }
  const found = await readShopId(images)
  if (found === shop.shopId) return
  throw new StartError(
    `${images} is not the folder with the pictures of the shop in this database (${found ? 'it is that of another shop' : 'its file shop-id is missing'}): ` +
      'set DATA_DIR to a folder whose images all processes of the shop share. If the pictures are lost for good, write ' +
      `${shop.shopId} into ${shopIdFile(images)}.`,
  )
}

/** The id in a folder of pictures from a start that died; undefined for a new folder. */
async function idToKeep(images: string): Promise<string | undefined> {
  const found = await readShopId(images)
  if (!found) return undefined
  const names = existsSync(images) ? await readdir(images) : []
  if (names.every((name) => name.startsWith('shop-id'))) return found
  throw new StartError(
    `${images} has the pictures of another shop than that of this database, which is new: correct DATABASE_URL or ` +
      `DATA_DIR, or, to give these pictures to the new shop, remove ${shopIdFile(images)}.`,
  )
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-start' })
  client.on('error', () => {})
  await client.connect()
  return work(client).finally(() => client.end())
}

/**
 * Checks that this process belongs to the shop in the database, and claims a shop without a row.
 * @param how `makeSecret` makes the secret of a new shop and returns its fingerprint; `newSecret` makes this process's secret
 *   the shop's from now on
 * @throws StartError when the secret or the pictures are another shop's
 */
export function joinShop(
  url: string,
  belongings: Belongings,
  { makeSecret, newSecret }: { makeSecret: () => Promise<string>; newSecret: boolean },
): Promise<void> {
  return withClient(url, async (client) => {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    const shop = await readShop(client)
    if (!shop) {
      const { rows } = await client.query<Shop>(
        `insert into shop (shop_id, secret_fingerprint) values (coalesce($1::uuid, gen_random_uuid()), $2)
         returning shop_id::text as "shopId"`,
        [await idToKeep(belongings.images), belongings.fingerprint ?? (await makeSecret())],
      )
      await writeShopId(belongings.images, rows[0]?.shopId ?? '')
    } else if (newSecret) {
      const fingerprint = belongings.fingerprint ?? (await makeSecret())
      await client.query('update shop set secret_fingerprint = $1', [fingerprint])
      await assertBelongs({ ...shop, fingerprint }, { ...belongings, fingerprint })
    } else {
      await assertBelongs(shop, belongings)
    }
    await client.query('commit')
  })
}

/**
 * The same check for commands. A database from before its first start has no row, and passes.
 * @throws StartError when the secret or the pictures are another shop's
 */
export function assertSameShop(url: string, belongings: Belongings): Promise<void> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`select to_regclass('public.shop') is not null as there`)
    const shop = rows[0].there ? await readShop(client) : undefined
    if (shop) await assertBelongs(shop, belongings)
  })
}

/** After a restore, marks the copied pictures as the loaded shop's. */
export async function markPictures(url: string, images: string): Promise<void> {
  const shop = await withClient(url, readShop)
  if (shop) await writeShopId(images, shop.shopId)
}
