/**
 * npm run bench:find [-- parts …]: how well and how fast searches find parts, among the demo parts
 * and, by default, among 10,000 and 100,000 parts. Milliseconds on the server are the best of five,
 * next to a bare `select 1` of the same run. For pages of parts, milliseconds are measured at the
 * client. Nothing here is a test.
 */
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { partPath } from '#contracts/part-address.ts'
import { ListQuery } from '#contracts/part-lists.ts'
import { type CatalogueCache, catalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { migrate } from '#server/database/migrate.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
import { findPartPage } from '#server/features/catalogue/part-page.ts'
import { findFitKinds, fitStockOf } from '#server/features/fit/fit-parts.ts'
import { judgeStock } from '#server/features/fit/judge-stock.ts'
import { listPartsOnSale } from '#server/features/search/list-parts.ts'
import { vocabularyRefresher } from '#server/features/search/refresh-vocabulary.ts'
import { suggest } from '#server/features/search/suggest.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { shareOfBare, timed as timedBatch } from './measure.ts'
import { chances, insertParts, type MadePart, makeParts } from './parts.ts'
import {
  answers,
  demoQueries,
  everydayQueries,
  fitQueries,
  otherQueries,
  type Query,
  queries,
} from './queries.ts'

const best = 5
const sizes = process.argv.slice(2).map(Number)

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < best; i += 1) {
    const began = performance.now()
    await work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

async function times(all: (() => Promise<unknown>)[]): Promise<string> {
  const each: number[] = []
  for (const work of all) each.push(await timed(work))
  return inWords(each)
}

function inWords(each: number[]): string {
  const sorted = each.toSorted((a, b) => a - b)
  const figures = [at(sorted, 0.5), at(sorted, 0.95), at(sorted, 1)]
  return figures.map((ms) => ms.toFixed(1).padStart(6)).join(' /')
}

type Deps = { db: Database; catalogue: CatalogueCache }

/** A kind's list with a filter, and the same with what fits a build of eight parts. */
async function ofBuilds(deps: Deps): Promise<Rows> {
  const kinds = await findFitKinds(deps.db)
  const stock = await Promise.all(kinds.map((kind) => fitStockOf(deps, kind)))
  const build = (i: number) =>
    stock.flatMap(({ all }) => [...all.values()][i % all.size]?.number ?? []).slice(0, 8)
  const each = (more: (i: number) => Record<string, string>) =>
    times(
      Array.from({ length: 60 }, (_, i) => () => {
        const kind = kinds[i % kinds.length]?.slug
        return listPartsOnSale(deps, ListQuery.parse({ kind, 'price-min': '1', ...more(i) }))
      }),
    )
  return [
    ['GET /parts of a kind with a filter', await each(() => ({}))],
    ['the same with fits=', await each((i) => ({ fits: build(i).join(','), only: 'fits' }))],
  ]
}

/** How many lists a second eight concurrent clients get. */
async function atOnce({ options }: pg.Pool, catalogue: CatalogueCache): Promise<string> {
  const lanes = 8
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: lanes,
    pipeline: true,
  })
  const db: Database = drizzle(pool)
  const some = lists.filter(({ kind }) => kind)
  const requestCount = 10 * some.length
  const ask = (i: number) => listPartsOnSale({ db, catalogue }, some[i % some.length] as ListQuery)
  await timedBatch(lanes, lanes, ask)
  const ms = await timedBatch(requestCount, lanes, ask)
  await pool.end()
  return `${Math.round((1_000 * requestCount) / ms)} a second`
}

/** Pages of parts over HTTP: rendered, because every price has changed since, and cached. */
async function partPages(pool: pg.Pool): Promise<Rows> {
  const shop = await startShop({ DATABASE_URL: pool.options.connectionString ?? '', DEMO: 'off' })
  const { rows } = await pool.query<{ number: number; name: string }>(
    'select number, name from parts where number % 53 = 7 order by number limit 150',
  )
  const pages = rows.map((part) => shop.origin + partPath(part))
  const get = async (page: string, headers = {}) => (await fetch(page, { headers })).arrayBuffer()
  const least = pages.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < best; round += 1) {
    await pool.query('update parts set price_cents = price_cents + 100')
    // after this response, the process has seen the change
    await get(shop.origin, { cookie: 'ferrite.catalogue=changed' })
    for (const [i, page] of pages.entries()) {
      const began = performance.now()
      await get(page)
      least[i] = Math.min(least[i] ?? 0, performance.now() - began)
    }
  }
  const keptShare = await shareOfBare(pages[0] ?? '')
  await shop.remove()
  return [
    ["a part's page, made", inWords(least)],
    ["a part's page, kept: of a bare server", keptShare.toFixed(2)],
  ]
}

/** Every prefix that shows suggestions while a visitor types. */
const beginnings = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, i) => text.slice(0, i + 2))

const lists = [
  {},
  ...['graphics-card', 'motherboard', 'memory-module', 'monitor', 'power-supply', 'case'].flatMap(
    (kind) => [
      { kind },
      { kind, sort: 'price' as const },
      { kind, stock: 'in' as const, 'price-max': 400 },
    ],
  ),
  { kind: 'motherboard', socket: ['AM5'], form_factor: ['ATX', 'Micro ATX'] },
  { kind: 'graphics-card', memory_gb: ['16'], 'length_mm-max': ['300'] },
].map((query) => ListQuery.parse(query))

const percent = (count: number, all: number) =>
  `${count} of ${all}, ${((100 * count) / all).toFixed(1)} %`

type PartFacts = Pick<MadePart, 'kind' | 'name' | 'specs'>

/**
 * How many queries find a right part first or among the first eight, and how many of the shown rows
 * are right.
 */
async function quality(deps: Deps, searches: Query[], shopParts: PartFacts[]): Promise<Rows> {
  const byName = new Map(shopParts.map((part) => [part.name, part]))
  let [first, within, rowCount, rightRows] = [0, 0, 0, 0]
  for (const query of searches) {
    const { parts } = await suggest(deps, query[0])
    const marks = parts.map(({ name }) => answers(query, byName.get(name) as PartFacts))
    if (marks[0]) first += 1
    else console.log(`  not first: ${query[0]} → ${parts[0]?.name ?? 'nothing'}`)
    if (marks.some((mark) => !mark) && marks[0])
      console.log(`  beside: ${query[0]} → ${parts[marks.indexOf(false)]?.name}`)
    if (marks.includes(true)) within += 1
    rowCount += marks.length
    rightRows += marks.filter(Boolean).length
  }
  return [
    ['queries: first right', percent(first, searches.length)],
    ['queries: right among 8', percent(within, searches.length)],
    ['queries: rows right', percent(rightRows, rowCount)],
  ]
}

/** How many lists for what fits have the right kind first, and how many of their rows fit. */
async function fitQuality(
  deps: Deps,
  shopParts: (PartFacts & { number: number })[],
): Promise<Rows> {
  const byName = new Map(shopParts.map((part) => [part.name, part]))
  let [first, rowCount, rightRows] = [0, 0, 0]
  const times: number[] = []
  for (const [q, kind, names, specs] of fitQueries) {
    const ask = () => listPartsOnSale(deps, ListQuery.parse({ q }))
    const { parts } = await ask()
    const fits = names.map((name) => byName.get(name)?.number).join(',')
    const problems = new Set<string>()
    for (const slug of new Set(parts.map((part) => part.kind)))
      for (const id of (await judgeStock(deps, slug, fits))?.problems ?? []) problems.add(id)
    const marks = parts.map(
      ({ _id, name }) =>
        answers([q, kind, null, specs], byName.get(name) as PartFacts) && !problems.has(_id),
    )
    if (marks[0]) first += 1
    const right = marks.filter(Boolean).length
    if (right < marks.length || right === 0)
      console.log(
        `  fits: ${q} → ${right} of ${marks.length}, first ${parts[0]?.name ?? 'nothing'}`,
      )
    rowCount += marks.length
    rightRows += right
    times.push(await timed(ask))
  }
  return [
    ['what fits: first right', percent(first, fitQueries.length)],
    ['what fits: rows right', percent(rightRows, rowCount)],
    ['what fits: p50 / p95 / most ms', inWords(times)],
  ]
}

const named = (what: string, rows: Rows): Rows =>
  rows.map(([name, figure]) => [`${what} ${name}`, figure])

/** How many searches for what is no part get its page, or that it is not sold. */
async function otherQuality(deps: Deps): Promise<Rows> {
  let right = 0
  for (const [q, page] of otherQueries) {
    const { pages, isUnsold } = await suggest(deps, q)
    const isRight = page ? pages?.[0]?.path === page : isUnsold
    if (isRight) right += 1
    else console.log(`  no part: ${q}`)
  }
  return [['what is no part: said so', percent(right, otherQueries.length)]]
}

const swap = (word: string, by: ReturnType<typeof chances>) => {
  const i = 1 + Math.floor(by.next() * (word.length - 2))
  const letter = 'abcdefghijklmnopqrstuvwxyz'[Math.floor(by.next() * 26)]
  return by.pick([
    word.slice(0, i) + word.slice(i + 1),
    word.slice(0, i) + letter + word.slice(i),
    word.slice(0, i) + letter + word.slice(i + 1),
    word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  ])
}

async function variations(deps: Deps, parts: MadePart[]): Promise<Rows> {
  const by = chances(7)
  const namesOf = async (q: string) => (await suggest(deps, q)).parts.map(({ name }) => name)
  const some = Array.from({ length: 200 }, () => by.pick(parts))
  let [typos, typosRight, whole, begun] = [0, 0, 0, 0]
  for (const part of some) {
    const words = part.name.toLowerCase().split(/\s+/).slice(0, 3)
    const long = words.find((word) => /^[a-z]{5,}$/.test(word))
    if (long) {
      const clean = await namesOf(words.join(' '))
      const typed = words.map((word) => (word === long ? swap(word, by) : word)).join(' ')
      typos += 1
      const found = await namesOf(typed)
      if (found.some((name) => clean.includes(name))) typosRight += 1
      else console.log(`  typo: ${typed} → ${found[0] ?? 'nothing'}`)
    }
    const { mpn } = part
    const spelled = by.pick([
      mpn,
      mpn.toLowerCase(),
      mpn.replaceAll('-', ''),
      mpn.replaceAll('-', ' '),
    ])
    if ((await namesOf(spelled))[0] === part.name) whole += 1
    else console.log(`  part number: ${spelled}`)
    if ((await namesOf(mpn.slice(0, Math.ceil(mpn.length * 0.7)))).includes(part.name)) begun += 1
  }
  return [
    ['one random typo finds what the clean words find', percent(typosRight, typos)],
    ['a part number, with and without marks: first', percent(whole, some.length)],
    ['70 % of a part number: among 8', percent(begun, some.length)],
  ]
}

type Rows = [what: string, figure: string][]

/** Measures in a new database that has kinds and no parts. */
async function inDatabase(work: (pool: pg.Pool, deps: Deps) => Promise<Rows>): Promise<Rows> {
  const folder = await dataFolder()
  const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'bench:find' })
  const pool = new pg.Pool({ connectionString: database.url, max: 1, pipeline: true })
  pool.on('error', () => {})
  const catalogue = catalogueCache(database.url, () => {})
  try {
    await migrate(database.url)
    const db: Database = drizzle(pool)
    await seedKinds(db)
    return await work(pool, { db, catalogue })
  } finally {
    await catalogue.close()
    await pool.end()
    await database.stop()
    await removeDataFolder(folder)
  }
}

const measureDemo = () =>
  inDatabase(async (pool, deps) => {
    await seedDemo(deps.db)
    await vocabularyRefresher(deps)()
    const { rows } = await pool.query<PartFacts & { number: number }>(
      'select name, kind, specs, number from parts',
    )
    return [
      ...(await quality(deps, demoQueries, rows)),
      ...named('everyday', await quality(deps, everydayQueries, rows)),
      ...(await otherQuality(deps)),
      ...(await fitQuality(deps, rows)),
    ]
  })

const measure = (size: number) =>
  inDatabase(async (pool, deps) => {
    const parts = makeParts(size)
    const began = performance.now()
    await insertParts(pool, parts)
    await pool.query('vacuum analyze')
    const filled = (performance.now() - began) / size
    const refreshing = performance.now()
    await vocabularyRefresher(deps)()
    const refreshed = performance.now() - refreshing
    await pool.query('vacuum analyze')
    const typed = queries.flatMap(([query]) => beginnings(query))
    const every = 1 + Math.floor(typed.length / 400)
    const some = typed.filter((_, i) => i % every === 0)
    return [
      [
        'select 1: p50 / p95 / most ms',
        await times(Array.from({ length: 50 }, () => () => pool.query('select 1'))),
      ],
      [
        'GET /search, whole queries',
        await times(
          queries.map(
            ([query]) =>
              () =>
                suggest(deps, query),
          ),
        ),
      ],
      ['GET /search, while typing', await times(some.map((query) => () => suggest(deps, query)))],
      ['GET /parts', await times(lists.map((query) => () => listPartsOnSale(deps, query)))],
      ...(await ofBuilds(deps)),
      ['GET /parts of a kind, eight at once', await atOnce(pool, deps.catalogue)],
      [
        'GET /parts/{part}',
        await times(some.map((_, i) => () => findPartPage(deps, `${1 + 7 * i}`))),
      ],
      ...(await quality(deps, queries, parts)),
      ...(await variations(deps, parts)),
      ...(await partPages(pool)),
      ['a part written and indexed', `${filled.toFixed(2)} ms`],
      ['the vocabulary rebuilt', `${refreshed.toFixed(0)} ms`],
    ]
  })

const print = (title: string, rows: Rows) => {
  console.log(`\n${title}`)
  for (const [what, figure] of rows) console.log(`${what.padEnd(50)}${figure}`)
}

print('the demo', await measureDemo())
for (const size of sizes.length > 0 ? sizes : [10_000, 100_000])
  print(`${size.toLocaleString('en')} parts`, await measure(size))
