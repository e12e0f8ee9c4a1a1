/** The public page of a part: its content, its address, and which bookings invalidate it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BasketParts, Comparison } from '#contracts/compare.ts'
import { partPath } from '#contracts/part-address.ts'
import { PartPage } from '#contracts/part-pages.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { call, createUsers, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { adjustStock, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let ada: Person

beforeAll(async () => {
  const settings = { METRICS_TOKEN: 'a token of sixteen', JOB_SECONDS: '3600' }
  shop = await openTestShop(settings, { web: await builtWeb() })
}, 90_000)
beforeEach(async () => {
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(() => shop.close())

type Stocked = { _id: string; number: number; name: string }

async function stock(part: {
  name: string
  kind?: string
  specs: object
  price?: number
  onHand?: number
  _id?: string
}): Promise<Stocked> {
  const { rows } = await shop.pool.query(
    `insert into parts (_id, name, kind, brand, mpn, image, description, minimum_order_quantity, price_cents, specs)
     values ($4, $1, $5, 'Marrow', 'M-' || $1, '/images/none-960.webp', 'It hums “never” & <b>.', 1, $2, $3)
     returning _id, number, name`,
    [
      part.name,
      (part.price ?? 80) * 100,
      part.specs,
      part._id ?? randomUUID(),
      part.kind ?? 'power supply',
    ],
  )
  const onHand = part.onHand ?? 5
  if (onHand > 0)
    await shop.pool.query(
      `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', $2)`,
      [rows[0]._id, onHand],
    )
  return rows[0]
}

async function read(part: Stocked, by: 'number' | '_id' = 'number') {
  const { status, body } = await call(shop.origin, 'GET', `/api/parts/${part[by]}`)
  return { status, page: status === 200 ? PartPage.parse(body) : undefined }
}
async function onSale(part: Stocked) {
  const { page } = await read(part)
  if (!page?.isOnSale) throw new Error('not on sale')
  return page
}
async function book(part: Stocked, quantity: number): Promise<string> {
  const booking = { partId: part._id, quantity, phone: '+1 555 0100' }
  const { status, body } = await ada.call('POST', '/api/order', booking)
  expect(status).toBe(200)
  return body.insertedId
}
/** Requests the page like a visitor who has just changed something. */
const visit = (path: string) =>
  call(shop.origin, 'GET', path, { headers: { cookie: 'ferrite.catalogue=changed' } })

describe('a part', () => {
  test('lists its facts in the order of its kind, and alternatives in stock', async () => {
    const far = await stock({ name: 'Far 650', specs: { wattage_w: 650 }, price: 200 })
    const other = await stock({ name: 'Other 450', specs: { wattage_w: 450 }, price: 80 })
    const none = await stock({ name: 'None 650', specs: { wattage_w: 650 }, onHand: 0 })
    const specs = { modular: 'Fully modular', wattage_w: 650, fanless: false }
    const part = await stock({ name: 'Marrow 650', specs })
    const page = await onSale(part)
    expect((await read(part, '_id')).page).toEqual(page)
    expect(page.specification.flatMap(({ facts }) => facts)).toEqual([
      { label: 'Power', value: '650 W' },
      { label: 'Cables', value: 'Fully modular' },
      { label: 'Fanless', value: 'no' },
    ])
    expect(page.similar.map(({ name }) => name)).toEqual([far.name, other.name])
    expect((await onSale(none)).similar).toHaveLength(3)
    expect(page).toMatchObject({ mpn: 'M-Marrow 650', held: 0, nextHoldEndsAt: null })
  })

  test('says how many are held, and when the first hold ends', async () => {
    const part = await stock({ name: 'Held 650', specs: {} })
    const orderId = await book(part, 2)
    const { rows } = await shop.pool.query('select hold_expires_at from orders where _id = $1', [
      orderId,
    ])
    expect(await onSale(part)).toMatchObject({
      availableQuantity: 3,
      onHand: 5,
      held: 2,
      nextHoldEndsAt: rows[0].hold_expires_at.toISOString(),
    })
  })

  test('that is a draft or does not exist is 404', async () => {
    const draft = await stock({ name: 'Draft 650', specs: {} })
    await shop.pool.query(`update parts set state = 'draft' where _id = $1`, [draft._id])
    expect((await read(draft)).status).toBe(404)
    expect((await visit(partPath(draft))).status).toBe(404)
    expect((await call(shop.origin, 'GET', '/api/parts/99999')).status).toBe(404)
  })
})

describe('its page', () => {
  test('has one address, to which its number and its id redirect with any name', async () => {
    // one UUID in fifty starts like the number of a part
    const _id = '12345678-1234-4321-8765-123456789abc'
    const part = await stock({ name: 'Marrow Größe 750', specs: {}, _id })
    const path = partPath(part)
    expect((await visit(path)).status).toBe(200)
    for (const other of [
      `/part/${part.number}`,
      `/part/${part.number}-marrow-gro-e-750`,
      `/part/${part._id}`,
      `${path}/`,
    ]) {
      const { status, headers } = await visit(other)
      expect([other, status, headers.get('location')]).toEqual([other, 301, path])
    }
    for (const none of ['/part/99999-x', '/part/7x', '/part/-', '/part/0-x'])
      expect((await visit(none)).status, none).toBe(404)
  })

  test('has structured data of what it shows', async () => {
    const part = await stock({ name: 'Marrow 850', specs: {}, price: 129 })
    const { body: html } = await visit(partPath(part))
    const url = shop.origin + partPath(part)
    expect(html).toContain(`<link rel="canonical" href="${url}"/>`)
    expect(html).toContain('<title>Marrow 850, Marrow, power supply · Ferrite</title>')
    expect(html).toContain(
      `<meta property="og:image" content="${shop.origin}/images/none-960.webp"/>`,
    )
    expect(html).not.toContain('noindex')
    const json = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1]
    const [product, crumbs] = JSON.parse(json ?? '')['@graph']
    expect(product).toMatchObject({
      '@type': 'Product',
      '@id': url,
      name: 'Marrow 850',
      sku: String(part.number),
      mpn: 'M-Marrow 850',
      brand: { '@type': 'Brand', name: 'Marrow' },
      description: 'It hums “never” & <b>.',
      offers: { price: 129, priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    })
    expect(product.aggregateRating).toBeUndefined()
    expect(crumbs.itemListElement).toHaveLength(3)
    expect(html).toContain('$129')
    // excludes the inlined styles, which have a separate budget
    const own = html.replace(/<style[^>]*>.*?<\/style>/gs, '')
    expect(Buffer.byteLength(own)).toBeLessThan(45_000)
  })

  test('shows its pictures in their order, with words for each, and the new order at once', async () => {
    const part = await stock({ name: 'Marrow Pictured', specs: {} })
    const [a, b, c] = ['a', 'b', 'c'].map((sign) => `/images/${sign.repeat(24)}-960.webp`)
    const uploaded = `insert into pictures (url, width, height, placeholder, content, uploaded_by)
      select $1, 1600, 1200, 'data:image/webp;base64,AA', 'a picture', _id from users limit 1`
    await shop.pool.query(uploaded, [b])
    const show = (image: string | undefined, alt: string, more: object[]) =>
      shop.pool.query(
        `update parts set image = $2, image_alt = $3, more_pictures = $4, version = version + 1 where _id = $1`,
        [part._id, image, alt, JSON.stringify(more)],
      )
    await show(a, 'Its “front”', [
      { image: b, alt: 'Its back' },
      { image: c, alt: '' },
    ])
    expect(await onSale(part)).toMatchObject({
      imageAlt: 'Its “front”',
      morePictures: [
        { image: b, alt: 'Its back', picture: { width: 1600, height: 1200 } },
        { image: c, alt: '', picture: null },
      ],
    })
    const path = partPath(part)
    const { body: html } = await visit(path)
    const alts = [...html.matchAll(/<img[^>]* alt="([^"]*)"/g)].map(([, alt]) => alt).slice(0, 3)
    expect(alts).toEqual(['Its “front”', 'Its back', 'Marrow Pictured, power supply, picture 3'])
    // without scripts, thumbnails are anchors, and each picture links to its largest file
    for (const place of [1, 2, 3]) {
      expect(html).toContain(`href="#picture-${place}"`)
      expect(html).toContain(`id="picture-${place}"`)
    }
    expect(html).toContain(`href="${b?.replace('960', '1600')}"`)
    expect(html.match(/<img[^>]*fetchPriority="high"/gi)).toHaveLength(1)
    // the page's content security policy forbids inline styles
    expect(html).not.toMatch(/<(img|div|a|li)[^>]* style=/)
    expect(html).toContain('<meta property="og:image:alt" content="Its “front”"/>')
    const json = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1]
    const [product] = JSON.parse(json ?? '')['@graph']
    expect(product.image).toEqual([a, b, c].map((image) => shop.origin + image))
    await show(c, '', [{ image: a, alt: 'Its “front”' }])
    expect((await visit(path)).body).toContain('Its “front”')
    expect((await visit(path)).body).not.toContain('Its back')
  })

  test('names what an alternative has, instead of saying yes', async () => {
    const specs = { size_mm: 120, pwm: true, noise_db: 23 }
    await stock({ name: 'Updraft 1', kind: 'fan', specs })
    const { body } = await visit(partPath(await stock({ name: 'Updraft 2', kind: 'fan', specs })))
    expect(body).toMatch(/\d mm, [^<]*PWM[^<]*dB/)
    expect(body).not.toMatch(/, yes[,<]/)
  })

  test('of a deleted part says so, shows similar parts and is not indexed', async () => {
    const part = await stock({ name: 'Marrow Past', specs: {}, price: 555 })
    await stock({ name: 'Marrow Present', specs: {}, price: 555 })
    await shop.pool.query('update parts set deleted_at = now() where _id = $1', [part._id])
    const { status, body } = await visit(partPath(part))
    expect(status).toBe(410)
    expect(body).toContain('This part is no longer sold.')
    expect(body).toContain('Marrow Present')
    expect(body).toContain('<meta name="robots" content="noindex"/>')
    expect(body).not.toContain('It hums')
  })

  test('is rendered again after a booking of what it shows, and cached otherwise', async () => {
    const rendered = async () => {
      const { body } = await call(shop.origin, 'GET', '/metrics', { token: 'a token of sixteen' })
      return Number(/^ferrite_pages_rendered_total (\S+)$/m.exec(body)?.[1])
    }
    const renderings = async (path: string) => {
      const before = await rendered()
      const { body } = await visit(path)
      return { body, count: (await rendered()) - before }
    }
    await shop.pool.query(`update parts set state = 'draft'`)
    const shownPart = await stock({ name: 'Shown', specs: {} })
    const neighbour = await stock({ name: 'Neighbour', specs: {} })
    const { rows } = await shop.pool.query(
      `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents)
       values ('Elsewhere', 'fan', '/images/none-960.webp', 'A fan.', 1, 900) returning _id, number, name`,
    )
    await shop.pool.query(
      `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 9)`,
      [rows[0]._id],
    )
    const elsewhere: Stocked = rows[0]
    const path = partPath(shownPart)
    expect((await renderings(path)).count).toBe(1)
    expect((await renderings(`${path}?utm_source=mail`)).count).toBe(0)
    await book(elsewhere, 1)
    expect((await renderings(path)).count).toBe(0)
    await book(neighbour, 1)
    const after = await renderings(path)
    expect(after.count).toBe(1)
    expect(after.body).toContain('4 in stock')
    await book(shownPart, 2)
    expect((await renderings(path)).body).toContain('3 in stock')
    await shop.pool.query(`update parts set description = 'Another.' where _id = $1`, [
      elsewhere._id,
    ])
    expect((await renderings(path)).count).toBe(1)
  })
})

test('sitemaps name every part on sale by its address, and when its page last changed', async () => {
  const part = await stock({ name: 'Mapped', specs: {} })
  const index = (await visit('/sitemap.xml')).body
  expect([...index.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at)).toEqual([
    `${shop.origin}/sitemaps/pages.xml`,
    `${shop.origin}/sitemaps/parts-1.xml`,
  ])
  const { rows } = await shop.pool.query('select changed_at from parts where _id = $1', [part._id])
  const { body, headers } = await visit('/sitemaps/parts-1.xml')
  expect(headers.get('content-type')).toContain('application/xml')
  expect(body).toContain(
    `<url><loc>${shop.origin}${partPath(part)}</loc><lastmod>${rows[0].changed_at.toISOString()}</lastmod></url>`,
  )
  expect(body).not.toContain('Draft')
  expect((await visit('/sitemaps/pages.xml')).body).toContain(`<loc>${shop.origin}/reviews</loc>`)
  for (const none of ['parts-2.xml', 'parts-0.xml', 'others.xml'])
    expect((await visit(`/sitemaps/${none}`)).status, none).toBe(404)
})

describe('a comparison', () => {
  const compare = (numbers: (number | string)[]) =>
    call(shop.origin, 'GET', `/api/compare?parts=${numbers.join(',')}`)

  test('has the fields of the kind in their order, what differs and what is best', async () => {
    const one = await stock({ name: 'One', specs: { wattage_w: 650, form_factor: 'ATX' } })
    const two = await stock({ name: 'Two', specs: { wattage_w: 850, form_factor: 'ATX' } })
    const more = await stock({ name: 'Three', specs: { length_mm: 140 } })
    const { body } = await compare([two.number, one.number, 999_999])
    const { parts, rows } = Comparison.parse(body)
    expect(parts.map(({ name }) => name)).toEqual(['Two', 'One'])
    expect(rows.map(({ label, differs, values }) => [label, differs, values[0]?.text])).toEqual([
      ['Power', true, '850 W'],
      ['Form factor', false, 'ATX'],
    ])
    const three = Comparison.parse((await compare([one.number, more.number])).body)
    expect(three.rows.find(({ key }) => key === 'length_mm')?.values).toEqual([
      { text: null, isBest: false },
      { text: '140 mm', isBest: false },
    ])
    const { body: html, status } = await visit(
      `/compare?parts=${one.number},${two.number}&only=differences`,
    )
    expect(status).toBe(200)
    expect(html).toContain('850 W')
    expect(html).not.toContain('>Form factor<')
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    const four = [one, two, more, await stock({ name: 'Four', specs: {} })]
    const full = four.map(({ number }) => number).join(',')
    const fifth = await stock({ name: 'Fifth', specs: {} })
    const questionPage = (await visit(`/compare?parts=${full}&add=${fifth.number}`)).body
    expect(questionPage).toContain('A comparison has 4 parts. Which one gives way?')
    expect(questionPage).toContain(
      `/compare?parts=${full.replace(String(one.number), String(fifth.number))}"`,
    )
  })

  test('is of one to four parts of one kind', async () => {
    const one = await stock({ name: 'Lone', specs: {} })
    const { rows } = await shop.pool.query(
      `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents)
       values ('A fan', 'fan', '/images/none-960.webp', 'A fan.', 1, 900) returning number`,
    )
    for (const numbers of [[], [1, 2, 3, 4, 5], ['x'], [-1], [one.number, rows[0].number]])
      expect((await compare(numbers)).status, String(numbers)).toBe(400)
    expect((await visit('/compare')).body).toContain('Nothing to compare yet')
  })
})

describe('a basket', () => {
  const read = (parts: string) => call(shop.origin, 'GET', `/api/basket?parts=${parts}`)

  test('has the parts on sale in its order, of any kind, and says what they are now', async () => {
    const supply = await stock({ name: 'Basket supply', specs: {} })
    const fan = await stockPart(shop.pool, { onHand: 3, price: 9, minimum: 2, name: 'Basket fan' })
    const { number } = (await call(shop.origin, 'GET', `/api/parts/${fan._id}`)).body
    const { body, headers } = await read(`${number}x2,999999,${supply.number}`)
    const { parts } = BasketParts.parse(body)
    expect(parts.map(({ name }) => name)).toEqual(['Basket fan', 'Basket supply'])
    expect(parts[0]).toMatchObject({ price: 9, availableQuantity: 3, minimumOrderQuantity: 2 })
    expect(headers.get('cache-control')).toBe('no-cache')

    const path = `/basket?parts=${number}x2,${supply.number}`
    const before = (await visit(path)).body
    expect(before).toContain('3 in stock')
    expect(before).toContain(`/purchase?parts=${number}x2,${supply.number}"`)
    expect(before).toContain(`href="/basket?parts=${number}x3,${supply.number}"`)
    expect(before).toContain('<meta name="robots" content="noindex"/>')
    await adjustStock(shop.pool, fan, -2)
    const after = (await visit(path)).body
    expect(after).toContain('Only 1 left, fewer than the minimum order.')
    expect(after).not.toContain('/purchase?parts=')
    const added = (await visit(`/basket?add=${number}x2`)).body
    expect(added).toContain('Basket fan')
    expect((await visit('/basket')).body).toContain('Your basket is empty')
  })

  test('reads 20 parts, and refuses what is longer than a basket', async () => {
    const made: number[] = []
    for (let i = 0; i < 21; i += 1)
      made.push((await stock({ name: `Of many ${i}`, specs: {}, onHand: 0 })).number)
    const { parts } = (await read(made.join(','))).body as { parts: { number: number }[] }
    expect(parts.map(({ number }) => number)).toEqual(made.slice(0, 20))
    expect((await read('1'.repeat(401))).status).toBe(400)
    expect((await read('x,-1,abc')).body).toMatchObject({ parts: [] })
  })
})
