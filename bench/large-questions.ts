/** What the owner's screens ask a large shop, each with words and places that differ from one request to the next. */
import type { Pool } from 'pg'
import { orderSorts, partSorts, partStates, shownStatuses, userSorts } from '#contracts/lists.ts'
import { roles } from '#contracts/users.ts'

/** Rows of a page, and one that tells of the next. */
const limit = 51

const ask = (path: string, query: Record<string, string> = {}) =>
  `/api/${path}?${new URLSearchParams({ ...query, limit: String(limit) })}`

type Questions = Record<string, string[]>

function listQuestions(path: string, sorts: readonly string[], ids: string[]): Questions {
  const places = sorts.flatMap((sort) => ids.map((after) => ask(path, { sort, after })))
  return {
    [`${path}, first page`]: [ask(path)],
    ...Object.fromEntries(
      sorts.map((sort) => [`${path}, first page by ${sort}`, [ask(path, { sort })]]),
    ),
    [`${path}, any page in any order`]: places.toSorted(),
  }
}

function searches(path: string, sorts: readonly string[], words: Questions): Questions {
  return Object.fromEntries(
    Object.entries(words).map(([what, some]) => [
      `${path}, search: ${what}`,
      some.flatMap((q) => sorts.map((sort) => ask(path, { q, sort }))),
    ]),
  )
}

/** Different numbers up to a most, spread evenly. */
const spread = (most: number, many = 8) =>
  Array.from({ length: many }, (_, i) => Math.floor((most * (i + 0.5)) / many))

async function read(pool: Pool, query: string): Promise<Record<string, string>[]> {
  return (await pool.query<Record<string, string>>(query)).rows
}

const common = ['ada', 'hopper', 'linus knuth', 'example.com', 'a', 'gr', 'al li']
const nothing = ['zzzqqq', 'ada zzzqqq', 'basalt keyboard qqqz', 'xx']
const things = ['basalt', 'keyboard', 'graphics card', 'memory 77', 'fan 99', 'lodestone 1234']

async function orderQuestions(pool: Pool): Promise<Questions> {
  const some = await read(
    pool,
    `select _id, transaction_id, email from orders where _id > gen_random_uuid() and status <> 'unpaid'
     order by _id limit 8`,
  )
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const days = [0, 1, 7, 30, 365].map((ago) => ({ from: day(ago + 30), to: day(ago) }))
  const path = 'allOrders'
  return {
    ...listQuestions(
      path,
      orderSorts,
      some.map(({ _id = '' }) => _id),
    ),
    ...searches(path, orderSorts, {
      'common words': common,
      'names of parts': things,
      'an order, a payment, an e-mail': some.flatMap(
        ({ _id = '', transaction_id = '', email = '' }) => [_id, transaction_id, email],
      ),
      'nothing found': nothing,
    }),
    ...Object.fromEntries(
      shownStatuses.map((status) => [
        `${path}, ${status}, in any order`,
        orderSorts.map((sort) => ask(path, { status, sort })),
      ]),
    ),
    [`${path}, a month, in any order`]: orderSorts.flatMap((sort) =>
      days.map((span) => ask(path, { ...span, sort })),
    ),
    [`${path}, a word, a status and a month`]: shownStatuses.flatMap((status) =>
      days.flatMap((span) =>
        ['ada', 'keyboard 77', 'zzzqqq'].map((q) => ask(path, { ...span, status, q })),
      ),
    ),
    'order/:id': some.map(({ _id }) => `/api/order/${_id}`),
    audit: [ask('audit')],
    'audit about an order': some.map(({ _id }) => ask('audit', { about: `order:${_id}` })),
  }
}

async function partQuestions(pool: Pool): Promise<Questions> {
  const all = await read(pool, 'select _id from parts order by position')
  const ids = spread(all.length).map((i) => all[i]?._id ?? '')
  const path = 'products'
  return {
    ...listQuestions(path, partSorts, ids),
    ...searches(path, partSorts, {
      'common words': things,
      'a part': ids,
      'nothing found': nothing,
    }),
    ...Object.fromEntries(
      partStates.map((state) => [
        `${path}, ${state}, in any order`,
        partSorts.map((sort) => ask(path, { state, sort })),
      ]),
    ),
    'product/:id': ids.map((id) => `/api/product/${id}`),
    'product/:id/stock': ids.map((id) => `/api/product/${id}/stock?limit=21`),
  }
}

async function userQuestions(pool: Pool): Promise<Questions> {
  const all = await read(pool, 'select _id, email from users order by email')
  const some = spread(all.length).map((i) => all[i])
  const path = 'user'
  return {
    ...listQuestions(
      path,
      userSorts,
      some.map((user) => user?._id ?? ''),
    ),
    ...searches(path, userSorts, {
      'common words': common,
      'a user': some.map((user) => user?.email ?? ''),
      'nothing found': nothing,
    }),
    ...Object.fromEntries(
      roles.map((role) => [
        `${path}, ${role}, in any order`,
        userSorts.map((sort) => ask(path, { role, sort })),
      ]),
    ),
  }
}

/** Paths to ask in turn, by what they stand for. */
export async function largeQuestions(pool: Pool): Promise<Questions> {
  return {
    overview: ['UTC', 'Europe/Vienna'].map((timeZone) => `/api/overview?timeZone=${timeZone}`),
    ...(await orderQuestions(pool)),
    ...(await partQuestions(pool)),
    ...(await userQuestions(pool)),
  }
}
