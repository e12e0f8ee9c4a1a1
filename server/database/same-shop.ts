/**
 * Processes of one shop share a database, a secret and a picture store. A process with another
 * secret would reject users whom the others admit, one with another store would show no pictures,
 * and one with another currency would charge other amounts. Such a process must not start.
 */
import pg from 'pg'
import type { Currency } from '#contracts/money.ts'
import type { Images, ListDatabase } from '#server/adapters/images/port.ts'
import { AppError, asStartError, reasonOf, StartError } from '#server/errors.ts'

export type OwnSecret = {
  /** of this process's secret; undefined when it has none yet */
  fingerprint: string | undefined
  /** where the secret comes from, for error messages */
  source: string
}

export type SecretAndImages = OwnSecret & {
  /** undefined for a command that handles no amounts */
  currency: Currency | undefined
  /** this process's picture store, whose list may be in the database */
  images: (db: ListDatabase) => Images
}

type Shop = { shopId: string; fingerprint: string; currency: string }

/** The key of an advisory lock for processes that open a new shop at the same time. */
const lock = 0x5b0b

async function readShop(client: pg.Client): Promise<Shop | undefined> {
  const { rows } = await client.query<Shop>(
    `select shop_id::text as "shopId", secret_fingerprint as fingerprint, currency from shop`,
  )
  return rows[0]
}

function assertSecret(shop: Shop, { fingerprint, source }: OwnSecret): void {
  if (fingerprint === shop.fingerprint) return
  throw new StartError(
    `${source} is not the secret of the shop in this database: set the APP_SECRET, or bring back the file secrets/app-secret, ` +
      'that every process of the shop has. To change the secret for good, which logs everybody out, stop all of them ' +
      'and start one with --new-secret (npm start -- --new-secret).',
  )
}

function assertCurrency(shop: Shop, { currency }: SecretAndImages): void {
  if (currency === undefined || currency === shop.currency) return
  throw new StartError(
    `CURRENCY is ${currency}${currency === 'USD' ? ' or not set' : ''}, and every price and order in this database is in ${shop.currency}: set CURRENCY=${shop.currency}. ` +
      'Another currency needs a shop of its own, with an empty database.',
  )
}

/**
 * Checks the picture store. A shop starts without a store that does not respond, and sells without
 * pictures until it does.
 * @returns a sentence for the owner in that case, else null
 * @throws StartError when the store has no pictures of the shop, or refuses its settings
 */
async function checkPictures({ shopId }: Shop, { marker, where }: Images): Promise<string | null> {
  if (!marker) return null
  let marked: string | null
  try {
    marked = await marker.read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `No picture can be shown for now. ${reasonOf(error)}`
  }
  if (marked === shopId) return null
  throw new StartError(
    `${where} does not hold the pictures of the shop in this database (${marked ? 'it holds those of another shop' : 'its file shop-id is missing'}): ` +
      'every process of the shop needs the same IMAGES and, with pictures on disk, a DATA_DIR whose images folder all share; ' +
      'npm run images moves them to another store. If the pictures are lost for good, write ' +
      `${shopId} into the file shop-id there.`,
  )
}

/** The shop id in a store that an interrupted start marked; undefined for a new store. */
async function markedShopId({ marker, where, list }: Images): Promise<string | undefined> {
  const marked = await marker?.read()
  if (!marked) return undefined
  if ((await list()).length === 0) return marked
  throw new StartError(
    `${where} has the pictures of another shop than that of this database, which is new: correct DATABASE_URL, ` +
      'IMAGES or DATA_DIR, or, to give these pictures to the new shop, remove the file shop-id there.',
  )
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-start' })
  client.on('error', () => {})
  await client.connect()
  return work(client).finally(() => client.end())
}

/**
 * Claims a new shop. Marks its store before the commit: this happens once, and other processes wait
 * for it.
 */
async function insertShop(
  client: pg.Client,
  {
    fingerprint,
    currency,
    images,
  }: { fingerprint: string; currency: Currency | undefined; images: Images },
): Promise<void> {
  const { rows } = await client.query<Shop>(
    `insert into shop (shop_id, secret_fingerprint, currency) values (coalesce($1::uuid, gen_random_uuid()), $2, $3)
     returning shop_id::text as "shopId"`,
    [await markedShopId(images), fingerprint, currency ?? 'USD'],
  )
  await images.marker?.write(rows[0]?.shopId ?? '')
}

const throwStartError = (error: unknown) => {
  throw asStartError(error)
}

/**
 * Checks that this process belongs to the shop in the database, and claims a shop that has no row.
 * @param how `makeSecret` makes the secret of a new shop and returns its fingerprint; with
 * `newSecret`, this process's secret becomes the shop's
 * @returns a sentence for the owner when the picture store does not respond, else null
 * @throws StartError when the secret or the pictures belong to another shop
 */
export function joinShop(
  url: string,
  findOwn: () => Promise<SecretAndImages>,
  { makeSecret, newSecret }: { makeSecret: () => Promise<string>; newSecret: boolean },
): Promise<string | null> {
  return withClient(url, async (client) => {
    const images = (await findOwn()).images(client)
    const existing = await readShop(client)
    const note = existing ? await checkPictures(existing, images) : null
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    const shop = await readShop(client)
    // read after the lock: another process in this folder may have made the secret meanwhile
    const own = await findOwn()
    if (!shop) {
      const fingerprint = own.fingerprint ?? (await makeSecret())
      await insertShop(client, { fingerprint, images, currency: own.currency }).catch(
        throwStartError,
      )
    } else if (newSecret) {
      const fingerprint = own.fingerprint ?? (await makeSecret())
      await client.query('update shop set secret_fingerprint = $1', [fingerprint])
    } else assertSecret(shop, own)
    if (shop) assertCurrency(shop, own)
    await client.query('commit')
    // another process claimed the shop meanwhile
    return shop && !existing ? checkPictures(shop, images) : note
  })
}

/**
 * The same check for commands. A database without a shop row, before its first start, passes.
 * @throws StartError when the secret or the pictures belong to another shop
 */
export function assertSameShop(url: string, own: SecretAndImages): Promise<void> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`select to_regclass('public.shop') is not null as there`)
    const shop = rows[0].there ? await readShop(client) : undefined
    if (!shop) return
    assertSecret(shop, own)
    assertCurrency(shop, own)
    await checkPictures(shop, own.images(client))
  })
}

/** The id of the shop in the database; undefined before its first start. */
export const shopIdOf = async (url: string): Promise<string | undefined> =>
  (await withClient(url, readShop))?.shopId

/** @throws StartError when a store has pictures of another shop, or does not respond */
export async function assertNoOtherShop({ marker, where }: Images, shopId: string | undefined) {
  const marked = await marker?.read().catch(throwStartError)
  if (!marked || marked === shopId) return
  throw new StartError(
    `${where} holds the pictures of another shop: name an empty place; nothing was changed.`,
  )
}

/** Marks a store whose pictures are now complete as the store of the database's shop. */
export async function markPictures(url: string, images: Images): Promise<void> {
  const shopId = await shopIdOf(url)
  if (shopId) await images.marker?.write(shopId).catch(throwStartError)
}
