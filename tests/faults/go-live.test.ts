import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { listDemo, takeOutDemo } from '#server/commands/take-out-demo.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { signInWithGoogle } from '#tests/support/google.ts'
import { atLength } from '#tests/support/length.ts'
import {
  bookingOf,
  call,
  cardsOf,
  confirmCard,
  intentFor,
  login,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { runProgram, type ShopProcess, spawnShop, startShop } from '#tests/support/shop-process.ts'
import { brokenInvariants, stockDemo, stockOf, stockPart } from '#tests/support/stock.ts'

/** Four starts of a shop and six commands, on a busy machine. */
const slow = { timeout: 300_000 }
const live = {
  STRIPE_SECRET_KEY: 'sk_live_none',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
}

let running: ShopProcess | undefined
let inProcess: TestShop | undefined
afterEach(async () => {
  await running?.remove()
  await inProcess?.close()
  running = inProcess = undefined
})

async function pay(shop: { origin: string; publishableKey: string }, person: Person, id: string) {
  expect((await confirmCard(shop, await intentFor(person, id))).status).toBe(200)
  await expect.poll(async () => (await orderOf(person, id)).status).toBe('paid')
}

/**
 * A day of trial use: a part of the owner's is sold, refunded, held; a demo part is sold; a review
 * is written.
 */
async function tryOut({ origin }: ShopProcess, owner: Person) {
  const image = (await upload({ origin }, owner, await photo())).body.data.url
  const details = { name: 'My own rack', image, description: 'Mine.', price: 50 }
  const amounts = { minimumOrderQuantity: 1, availableQuantity: 10 }
  expect((await owner.call('POST', '/api/product', { ...details, ...amounts })).status).toBe(200)
  const parts: Part[] = (await call(origin, 'GET', '/api/part')).body
  const mine = parts.find(({ name }) => name === 'My own rack') as Part
  const demo = parts.find((part) => part.availableQuantity > 9 && part._id !== mine._id) as Part
  const html = await (await fetch(`${origin}/`)).text()
  const shop = { origin, publishableKey: /pk_test_\w+/.exec(html)?.[0] ?? '' }
  const ada = await register(origin, 'Ada Trying')
  const sold = await bookingOf(ada, mine, { quantity: 4 })
  await pay(shop, ada, sold)
  const refund = { amount: 50, reason: 'tried it', restock: 1 }
  await owner.call('POST', `/api/order/${sold}/refund`, refund, { 'idempotency-key': 'one' })
  await owner.call('PUT', `/api/order/${sold}/shipped`, { carrier: 'DHL', trackingNumber: '1' })
  await bookingOf(ada, mine, { quantity: 2 })
  await pay(shop, ada, await bookingOf(ada, demo))
  const review = { review: 'Tried it, works.', ratings: 5 }
  expect((await ada.call('POST', '/api/review', review)).status).toBe(200)
  return { ada, image }
}

test.runIf(atLength)(
  'a shop that was a demonstration is refused real cards until it is taken out',
  slow,
  async () => {
    running = await startShop({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' })
    const where = { DATA_DIR: running.dataDir, PORT: '0', DEMO: '', LOG_LEVEL: 'silent' }
    const password = /owner@ferrite.example {2}password (\S+)/.exec(running.output())?.[1] ?? ''
    const demoOwner = await login(running.origin, 'owner@ferrite.example', password)
    const { ada, image } = await tryOut(running, demoOwner)
    const goLive = (...words: string[]) => runProgram('go-live', words, where)

    expect(await goLive('--confirm')).toEqual({
      code: 1,
      output: 'The shop runs: stop every process of it first; nothing was changed.',
    })
    await running.end('SIGTERM')
    expect((await goLive('--confirm')).output).toBe(
      `The only admin is the demonstration's (owner@ferrite.example): make your own first with npm run admin -- EMAIL; nothing was changed.`,
    )
    expect((await runProgram('admin', ['me@shop.example'], where)).code).toBe(0)
    const refused = await spawnShop({ ...where, ...live })
    expect(refused.isReady).toBe(false)
    expect(refused.output()).toMatch(
      /^With live keys of Stripe nothing of the demonstration may be here, and this shop has 120 parts, 8 reviews, its owner owner@ferrite.example, 2 sandbox orders of it: npm run go-live/,
    )

    const list = await goLive()
    expect(list.output).toContain('120 parts: Cinder RX 7800 XT, ')
    expect(list.output).toContain('9 reviews')
    expect(list.output).toContain(`2 accounts: ${ada.email}, owner@ferrite.example`)
    expect(list.output).toMatch(
      /3 orders with 2 payments, their refunds and stock movements: F-\d+, /,
    )
    expect(list.output).toContain(
      'stock of your own parts, back to before those orders: My own rack 7 → 10',
    )
    expect(list.output).toContain('npm run go-live -- --confirm')

    const removal = await goLive('--confirm')
    expect(removal.output).toMatch(/^Taken out:[\s\S]*120 parts: [\s\S]*admins are as they were\.$/)
    expect(removal.code).toBe(0)
    const unsaid =
      'Pages and emails still show the sample’s details: Name of the shop, Owner, Address, Phone, Email. Enter your own under Settings in the dashboard.'
    expect((await goLive()).output).toBe(`Nothing of a demonstration is in this shop.\n\n${unsaid}`)
    const doctor = await runProgram('doctor', [], where)
    expect(doctor.output).toContain('Everything agrees.')
    expect(doctor.output).toContain('0 orders, 1 parts, 1 pictures')
    await assertLeft(running.dataDir, image)

    const opened = await spawnShop({ ...where, ...live })
    opened.child.kill()
    await once(opened.child, 'exit')
    expect(opened.output()).toContain('api.stripe.com')
    expect(opened.output()).toContain('Customers pay for real and get no mail')
    expect(opened.output()).toContain('Pages and mails still have the sample’s words: Name of')
    expect(opened.isReady).toBe(true)
  },
)

/** Expects the owner's part with its stock and picture, and the owner, to be left. */
async function assertLeft(dataDir: string, image: string) {
  const files = await readdir(join(dataDir, 'images'))
  const mine = image.slice('/images/'.length, '/images/'.length + 24)
  expect(files.filter((name) => !name.startsWith(mine))).toEqual(['shop-id'])
  expect(files.length).toBeGreaterThan(4)
  const database = await startEmbedded({ dataDir, log: () => {}, owner: 'the test' })
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const rows = async (query: string) => (await pool.query(query)).rows
  try {
    expect(await rows('select name, on_hand, reserved from parts')).toEqual([
      { name: 'My own rack', on_hand: 10, reserved: 0 },
    ])
    expect(await rows('select type, on_hand_delta from stock_movements')).toEqual([
      { type: 'receive', on_hand_delta: 10 },
    ])
    for (const table of ['orders', 'payments', 'refunds', 'reviews', 'webhook_events'])
      expect(await rows(`select * from ${table}`), table).toEqual([])
    // the uploader of the picture is kept for the books, and recognisable as the demo's
    expect(await rows('select email, name from users order by email')).toEqual([
      { email: expect.stringMatching(/^former\..*invalid$/), name: 'The demo owner' },
      { email: 'me@shop.example', name: 'Shop owner' },
    ])
    expect(await rows('select email from identity.user')).toEqual([{ email: 'me@shop.example' }])
  } finally {
    await pool.end()
    await database.stop()
  }
}

test(
  'real cards are refused until the demonstration is taken out; what was paid at Stripe itself stays, with its customer, its part and all that came after',
  slow,
  async () => {
    const shop = await openTestShop({ DEMO: 'off', ADMIN_EMAIL: 'me@shop.example' })
    inProcess = shop
    await stockDemo(shop.pool)
    const mine = await stockPart(shop.pool, { onHand: 9, name: 'My own fan' })
    const parts: Part[] = (await call(shop.origin, 'GET', '/api/part')).body
    const demo = parts.find((part) => part.availableQuantity > 9 && part._id !== mine._id) as Part
    const [ada, bob] = [
      await register(shop.origin, 'Ada Tried'),
      await register(shop.origin, 'Bob Paid'),
    ]
    const tried = await bookingOf(ada, mine, { quantity: 2 })
    await pay(cardsOf(shop), ada, tried)
    const owner = await login(shop.origin, 'me@shop.example', 'owner-password')
    expect((await owner.call('PUT', `/api/order/${tried}/shipped`, {})).status).toBe(200)
    const review = { review: 'Tried it, works.', ratings: 5, partId: mine._id }
    expect((await ada.call('POST', '/api/review', review)).status).toBe(200)
    const real = await bookingOf(bob, demo)
    await pay(cardsOf(shop), bob, real)
    const later = await register(shop.origin, 'Cyd Later')
    await bookingOf(later, mine, { quantity: 1 })
    const { rows } = await shop.pool.query(
      'select transaction_id as id from orders where _id = $1',
      [real],
    )
    // the sandbox has no record of this one
    await shop.pool.query('delete from sandbox_stripe.objects where id = $1', [rows[0].id])

    // both wait for one unit, and the demo customer came first
    const rack = await stockPart(shop.pool, { onHand: 0, name: 'My own rack' })
    for (const { email } of [ada, later])
      await shop.pool.query(
        'insert into queue_places (user_id, part_id, quantity) select _id, $1, 1 from users where email = $2',
        [rack._id, email],
      )
    await shop.pool.query(
      `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 1)`,
      [rack._id],
    )

    const dee = { name: 'Dee Tried', email: 'dee@example.com' }
    expect((await signInWithGoogle(shop.origin, dee)).error).toBeNull()
    await shop.pool.query(
      `insert into identity.account (id, account_id, provider_id, user_id)
        select 'real', '112233445566778899001', 'google', subject from users where email = $1`,
      [bob.email],
    )

    const database = { name: '', url: shop.databaseUrl, pool: shop.pool, drop: async () => {} }
    await expect(
      openTestShop({ DEMO: 'off', ...live }, { shared: database, dataDir: shop.dataDir }),
    ).rejects.toThrow(
      /^With live keys of Stripe nothing of the demonstration may be here, and this shop has 27 parts, 8 reviews, 1 sandbox order of it: npm run go-live/,
    )
    const client = await shop.pool.connect()
    const before = await listDemo(client)
    expect(before).toMatchObject({ people: [ada.email], payments: 1, staying: 2 })
    expect(before.restocked).toEqual([
      { name: 'My own fan', now: 7, afterwards: 9, counted: false },
    ])
    await takeOutDemo(client)
    client.release()
    expect(await brokenInvariants(shop.pool)).toEqual([])
    expect(await stockOf(shop.pool, mine._id)).toEqual({ onHand: 9, reserved: 1 })
    const { rows: offers } = await shop.pool.query(
      'select email from queue_places join users u on u._id = user_id where offered_at is not null',
    )
    expect(offers).toEqual([{ email: later.email }])
    const left = await shop.pool.query(
      'select name, deleted_at is null as sold from parts order by name',
    )
    expect(left.rows).toEqual(
      [
        { name: demo.name, sold: false },
        { name: 'My own fan', sold: true },
        { name: 'My own rack', sold: true },
      ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    )
    expect((await orderOf(bob, real)).status).toBe('paid')
    const links = await shop.pool.query(
      `select account_id from identity.account where provider_id = 'google'`,
    )
    expect(links.rows).toEqual([{ account_id: '112233445566778899001' }])
    // the triggers are enabled again
    await expect(shop.pool.query('delete from orders')).rejects.toThrow('append-only')
  },
)
