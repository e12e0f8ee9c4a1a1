/**
 * Every screen, phone to desktop, light and dark: nothing overflows, nothing moves, axe finds
 * nothing, Tab reaches everything.
 */
import type { Locator, Page } from '@playwright/test'
import { atLength } from '#tests/support/length.ts'
import { bookingOf, controlSandbox, login, register } from '#tests/support/people.ts'
import { photo } from '#tests/support/pictures.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { stockPart } from '#tests/support/stock.ts'
import {
  busyTest,
  customerTest,
  enterAs,
  expect,
  givePictures,
  ownerTest,
  password,
  payUnheard,
  test,
} from './fixtures.ts'
import { check, checkLook, checkOpened, layoutShift } from './screen-check.ts'

type Look = readonly [width: number, theme: 'dark' | 'light']
/** The full run checks every width in both themes. */
const looks: Look[] = atLength
  ? [360, 768, 1440].flatMap((width): Look[] => [
      [width, 'dark'],
      [width, 'light'],
    ])
  : [[360, 'dark']]
/** The gate checks each screen once more in place, for the other width and theme. */
const second: Look | null = atLength ? null : [1440, 'light']

/** In the full run the light screens use motion, so that both settings are checked. */
const motionIn = (theme: Look[1]) => (atLength && theme === 'light' ? 'no-preference' : 'reduce')

async function show(page: Page, [width, colorScheme]: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme, reducedMotion: motionIn(colorScheme) })
}

type Screen = {
  name: string
  /** The screen's URL; without one, `first` produces it from the previous screen. */
  at?: string
  /** Runs on the screen before any check. */
  first?: (page: Page) => Promise<void>
  /** Visible as soon as the screen is complete. */
  shows: (page: Page) => Locator
  /**
   * The next screen is this one with more content: the gate checks only that one fully, and this
   * one only for layout shifts.
   */
  grows?: true
}

async function checkAll(page: Page, screens: Screen[], look: Look): Promise<void> {
  for (const { name, at, first, shows, grows } of screens) {
    await test.step(name, async () => {
      // a page that is opened again keeps its scroll position
      if (at && page.url().endsWith(at)) await page.goto('/robots.txt')
      if (at) await page.goto(at)
      await first?.(page)
      await expect(shows(page)).toBeVisible()
      if (grows && !atLength) return checkOpened(page, name)
      await check(page, name, !first)
      if (!second) return
      await show(page, second)
      await checkLook(page, `${name}, ${second}`)
      await show(page, look)
    })
  }
}

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name })
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first()
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const label = (words: string) => (page: Page) => page.getByLabel(words)
const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).click()

const unique = () => crypto.randomUUID().slice(0, 8)
const longName = (word: string) =>
  `A part whose name is as long as names may become before they are shortened, ${word}`

const ofVisitors = [
  '/',
  '/blogs',
  '/portfolio',
  '/reviews',
  '/parts/graphics-card?stock=in',
  // one to begin, while the basket is empty: it would open there
  '/build',
  // a line that is fine, one with too many and one that is gone
  '/basket?parts=1,2x9999,999999',
  // a PC that does not fit
  '/build?parts=2,13x2,7,999999',
  '/parts/motherboard?fits=2,7',
  '/contact',
  '/withdraw',
  '/privacy',
  '/login',
  '/register',
  '/no/such/page',
  // the targets of mailed links and of Google
  '/reset-password?token=x',
  '/verified?error=TOKEN_EXPIRED',
  // the screens above again, elsewhere or with less text
  ...(atLength
    ? [
        '/#slide2',
        '/parts',
        '/parts?q=fan',
        '/reset-password?error=INVALID_TOKEN',
        '/login?google=auth/account-exists-with-different-credential',
        '/verified',
      ]
    : []),
]

const ofNewCustomers: Screen[] = [
  {
    name: 'my profile, signed in on two devices',
    at: '/dashboard',
    shows: (page) =>
      page
        .getByRole('region', { name: 'Devices you’re logged in on' })
        .getByRole('listitem')
        .nth(1),
    grows: true,
  },
  {
    name: 'my profile with what is missing',
    first: press('Update profile'),
    shows: text('Education is required'),
  },
  {
    name: 'deleting my account',
    at: '/dashboard',
    first: press('Delete my account'),
    shows: label('Your password'),
  },
  {
    name: 'add a review',
    at: '/dashboard/addReview',
    shows: (page) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').nth(2),
    grows: true,
  },
  {
    name: 'a review with stars',
    first: (page) => page.getByRole('radio', { name: '4 stars' }).press('Space'),
    shows: (page) => page.getByRole('radio', { name: '4 stars', checked: true }),
  },
  { name: 'no orders yet', at: '/dashboard/myOrders', shows: heading('No orders yet') },
  {
    name: 'my machine without parts',
    at: '/dashboard/machine',
    shows: heading('No parts yet'),
    grows: true,
  },
  {
    name: 'my machine with a part and a form for another',
    first: async (page) => {
      await page.getByText('It’s not in the catalogue').click()
      await page.getByLabel('Category').selectOption('Motherboard')
      await page.getByLabel('Name', { exact: true }).fill(longName('my board'))
      await page.getByLabel('M.2 slots').fill('2')
      await press('Add part')(page)
      await expect(page.getByText(/room for 2 more M\.2 drives/)).toBeVisible()
      await page.getByLabel('Category').selectOption('Case')
      await page.getByLabel('Fan places').fill('many')
      await press('Add part')(page)
    },
    shows: text('Fan places must be a number'),
    grows: true,
  },
]

const ofBuyers = (orderId: string, partId: string, number: number): Screen[] => [
  { name: 'an order', at: `/dashboard/order/${orderId}`, shows: button('Print') },
  {
    name: 'payment',
    at: `/dashboard/payment/${orderId}`,
    shows: (page) => page.getByRole('button', { name: /^Pay/, disabled: false }),
  },
  {
    name: 'my orders',
    at: '/dashboard/myOrders',
    shows: (page) => page.getByRole('link', { name: /^Pay/ }),
  },
  { name: 'purchase', at: `/purchase/${partId}`, shows: label('Phone') },
  {
    name: 'booking a basket',
    at: `/purchase?parts=1,${number}x99`,
    shows: (page) => page.getByRole('link', { name: /^Take/ }),
  },
]

type Sale = { orderId: string; checkoutId: string; ticketId: string; customerId: string }

const ofSales = ({ orderId, checkoutId, ticketId, customerId }: Sale, word: string): Screen[] => [
  {
    name: 'the overview',
    at: '/dashboard/overview',
    shows: (page) => page.getByRole('application').nth(1),
    grows: true,
  },
  {
    name: 'the overview with its table',
    first: (page) => page.getByText('The numbers of both charts as a table').click(),
    shows: (page) => page.getByRole('table', { name: /^Orders and revenue per day/ }),
  },
  {
    name: 'all orders, one of them chosen',
    at: `/dashboard/manageOrders?q=${word}`,
    first: (page) =>
      page
        .getByRole('checkbox', { name: /^Select (?!all)/ })
        .first()
        .check(),
    shows: button('message user'),
  },
  { name: 'an order for its owner', at: `/dashboard/order/${orderId}`, shows: heading('History') },
  { name: 'returns and questions', at: '/dashboard/tickets', shows: text(/^waits/) },
  { name: 'a ticket', at: `/dashboard/ticket/${ticketId}`, shows: button(/^Refund \$/) },
  { name: 'a new ticket', at: `/dashboard/newTicket/${checkoutId}`, shows: label('Message') },
  {
    name: 'a customer',
    at: `/dashboard/users?account=${customerId}`,
    shows: heading('Message the customer'),
  },
  { name: 'all users', at: '/dashboard/users', shows: button(/admin/i) },
  { name: 'who is signed in', at: '/dashboard/users/sessions', shows: text('This device') },
  { name: 'the audit log', at: '/dashboard/audit', shows: text('order shipped') },
  { name: 'what words mean', at: '/dashboard/words', shows: text('Searched and not found') },
  { name: 'whether the shop is well', at: '/dashboard/health', shows: text('Disk space') },
  { name: 'mail that did not get out', at: '/dashboard/mail', shows: text('550 5.1.1') },
  {
    name: 'keys and webhooks',
    at: '/dashboard/integrations',
    first: press('Messages'),
    shows: (page) => page.getByRole('list', { name: 'Messages' }),
  },
  {
    name: 'a new key with what is missing',
    first: async (page) => {
      await press('Create an API key')(page)
      await press('Create key')(page)
    },
    shows: text('Choose what the key may do'),
  },
  { name: 'all reviews', at: '/dashboard/manageReviews', shows: button('Hide') },
  { name: 'parcels to ship', at: '/dashboard/toShip', shows: button(/^Ship \d/) },
  {
    name: 'a new way of delivery',
    at: '/dashboard/settings/shipping/new',
    shows: button('Add it'),
  },
  {
    name: 'settings',
    at: '/dashboard/settings',
    shows: text('Each page starts with a standard text'),
  },
  {
    name: 'a text with its preview',
    at: '/dashboard/settings/texts/contact',
    first: press('Preview'),
    shows: (page) => page.getByRole('region', { name: 'Preview' }),
    grows: true,
  },
]

const ofProducts = (partId: string, deliveryId: string, word: string): Screen[] => [
  { name: 'all products', at: `/dashboard/manageProducts?q=${word}`, shows: text('3 held') },
  // the list above with other products
  ...(atLength
    ? [
        {
          name: 'deleted products',
          at: '/dashboard/manageProducts?state=deleted',
          shows: button(/^Restore/),
        },
      ]
    : []),
  { name: 'a product', at: `/dashboard/products/${partId}`, shows: text('held for an order') },
  {
    name: 'add a product',
    at: '/dashboard/addProduct',
    shows: text('Choose a picture'),
    grows: true,
  },
  {
    name: 'a product with what is missing',
    first: async (page) => {
      await press('Add product')(page)
      await expect(page.getByText('Price is required')).toBeVisible()
      const picture = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo() }
      await page.getByLabel('Image').setInputFiles(picture)
    },
    shows: text('Picture uploaded.'),
  },
  { name: 'goods received', at: '/dashboard/deliveries', shows: text('8 of 20 still to come') },
  {
    name: 'a delivery',
    at: `/dashboard/deliveries/${deliveryId}`,
    shows: button('Mark as received'),
  },
  {
    name: 'a new delivery with what is missing',
    at: '/dashboard/deliveries/new',
    first: press('Add delivery'),
    shows: text('Supplier is required'),
  },
  { name: 'all kinds', at: '/dashboard/kinds', shows: text(/% filled in/) },
  { name: 'the rules of fit', at: '/dashboard/fit', shows: text('Processor in the board') },
  {
    name: 'a kind with a choice and a wrong number',
    at: '/dashboard/kinds/fan',
    first: async (page) => {
      await page.getByRole('button', { name: /^Plug/ }).click()
      await page.getByRole('button', { name: /^Noise/ }).click()
      await page.getByLabel('Maximum').fill('loud')
      await press('Save')(page)
    },
    shows: text('must be a number'),
  },
  {
    name: 'pictures',
    at: '/dashboard/manageProducts/pictures',
    shows: text('Choose pictures or a ZIP'),
  },
  {
    name: 'import',
    at: '/dashboard/manageProducts/import',
    shows: text('Choose a file'),
    grows: true,
  },
  {
    name: 'a CSV file with problems',
    first: (page) => {
      const csv = `name,price\n${'Aratherlongnamewithoutanygap'.repeat(2)},12.5`
      const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
      return page.getByLabel('CSV file').setInputFiles(file)
    },
    shows: (page) => page.getByRole('table', { name: 'Problems by line' }),
  },
]

for (const look of looks) {
  const [width, theme] = look
  test.describe(`${width} px, ${theme}`, () => {
    test.use({
      viewport: { width, height: 900 },
      colorScheme: theme,
      contextOptions: { reducedMotion: motionIn(theme) },
    })

    test('what visitors see', async ({ page }) => {
      test.slow()
      await checkAll(
        page,
        ofVisitors.map((path) => ({ name: path, at: path, shows: title })),
        look,
      )
    })

    customerTest('what new customers see', async ({ page, customer: { email }, request }) => {
      test.slow()
      const { origin } = new URL(page.url())
      const data = { email, password }
      await request.post('/identity/sign-in/email', { headers: { origin }, data })
      await checkAll(page, ofNewCustomers, look)
    })

    busyTest('what buyers see', async ({ page, shop, pool }) => {
      test.slow()
      const buyer = await register(shop.origin, 'Grace Hopper')
      const part = await stockPart(pool, { onHand: 9, price: 1999, name: longName(unique()) })
      await givePictures(pool)
      const orderId = await bookingOf(buyer, part)
      await enterAs(page, buyer)
      const { number } = await (await page.request.get(`/api/parts/${part._id}`)).json()
      await checkAll(page, ofBuyers(orderId, part._id, number), look)
    })

    ownerTest('what an owner sees of sales', async ({ page, shop, pool, owner, buyer, sell }) => {
      test.slow()
      const word = unique()
      const part = await stockPart(pool, { onHand: 20, price: 1999, name: longName(word) })
      await register(shop.origin, 'Wolfeschlegelsteinhausenbergerdorff the Long', {
        verified: false,
      })
      await owner.call('PUT', `/api/order/${await sell(part)}/shipped`, { carrier: 'DHL' })
      await pool.query('delete from webhook_endpoints')
      // no server listens there
      const webhook = { url: `http://127.0.0.1:1/${'long/'.repeat(30)}`, events: ['order.booked'] }
      await owner.call('POST', '/api/webhook', webhook)
      const key = { name: 'Warehouse', scopes: ['orders:read', 'orders:ship'] }
      await owner.call('POST', '/api/key', {
        ...key,
        endsOn: new Date().toISOString().slice(0, 10),
      })
      await bookingOf(buyer, part)
      const sold = await sell(part, 3)
      await pool.query(
        `insert into mail_queue (template, recipient, subject, text, html, order_id, attempts, last_error, given_up_at)
         values ('order-paid', repeat('a', 60) || '@exmaple.com', 'Receipt for your order', 't', 'h', $1, 1,
           'The mail server refuses the address: 550 5.1.1 No such user here', now())`,
        [sold],
      )
      const { checkoutId } = (await buyer.call('GET', `/api/order/${sold}`)).body
      const ticket = {
        type: 'warranty',
        lines: [{ orderId: sold, quantity: 2 }],
        text: 'Aratherlongnamewithoutanygap'.repeat(4),
      }
      const once = { 'idempotency-key': crypto.randomUUID() }
      const opened = await buyer.call('POST', `/api/checkout/${checkoutId}/tickets`, ticket, once)
      const { body: users } = await owner.call('GET', `/api/user?q=${buyer.email}`)
      const customerId = users[0]._id
      const ticketId = opened.body.insertedId
      await checkAll(page, ofSales({ orderId: sold, checkoutId, ticketId, customerId }, word), look)
    })

    ownerTest('what an owner sees of products', async ({ page, pool, owner, buyer }) => {
      test.slow()
      const word = unique()
      const part = await stockPart(pool, { onHand: 20, price: 1999, name: longName(word) })
      await bookingOf(buyer, part, { quantity: 3 })
      await stockPart(pool, { onHand: 0, name: `Sold out ${word}` })
      const gone = await stockPart(pool, { onHand: 1, name: `Gone ${word}` })
      await owner.call('DELETE', `/api/adminProduct/${gone._id}`)
      const { body } = await owner.call('POST', '/api/delivery', {
        supplier: `Wholesale ${word}`,
        reference: 'W-1',
        lines: [{ partId: part._id, quantity: 20 }],
      })
      const path = `/api/delivery/${body.insertedId}`
      const [line] = (await owner.call('GET', path)).body.lines
      const came = { lineId: line._id, quantity: 12, received: 0 }
      await owner.call('POST', `${path}/receive`, { lines: [came] })
      await checkAll(page, ofProducts(part._id, body.insertedId, word), look)
    })
  })
}

test('what an owner sees of an empty shop and of money', async ({ browser, openShop }) => {
  test.slow()
  // events without a webhook stay unknown until a reconciliation
  const shop = await openShop({ DEMO: 'off', JOB_SECONDS: '3600' })
  const context = await browser.newContext({ baseURL: shop.origin })
  const page = await context.newPage()
  await enterAs(page, await login(shop.origin, 'owner@ferrite.example', 'owner-password'))
  /** In every look, because a shop is empty only once. */
  const checkLooks = async (screen: Screen) => {
    for (const look of looks) {
      await show(page, look)
      await checkAll(page, [{ ...screen, name: `${screen.name}, ${look}` }], look)
    }
  }
  const money = '/dashboard/money'
  await checkLooks({
    name: 'an empty shop',
    at: '/dashboard/overview',
    shows: (page) => page.getByRole('main').getByRole('link', { name: 'Add a product' }).last(),
  })
  // the gate checks the Money page with its maximum content
  if (atLength)
    await checkLooks({ name: 'everything agrees', at: money, shows: text('Everything matches') })
  const pool = await shopDatabase(shop)
  await payUnheard(shop, pool, await register(shop.origin), longName(unique()))
  await pool.end()
  const issue = button(/^Settle the payment/)
  await checkLooks({ name: 'an issue', at: money, shows: issue })
  if (atLength) {
    const silence = { status: 500, count: 1000, path: '/payment_intents' }
    await controlSandbox(shop.origin, 'fail-next', silence)
    await checkLooks({ name: 'silence', at: money, shows: text(/not\s+compared with it/) })
  }
  await context.close()
})

test('nothing moves on a slow device either, where a page is painted while it is read', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const device = await page.context().newCDPSession(page)
  await device.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (const width of atLength ? [360, 1440] : [360]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of atLength ? ['/', '/contact'] : ['/']) {
      await page.goto(path)
      await page.evaluate(() => document.fonts.ready)
      expect(await layoutShift(page), `${path} at ${width}`).toBeLessThan(0.0001)
    }
  }
})
