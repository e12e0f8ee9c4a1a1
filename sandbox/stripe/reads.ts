import { type Call, ok, type Reply } from './call.ts'
import { withPending } from './events.ts'
import { list, text } from './form.ts'
import { type Database, find, findAny, page } from './store.ts'

/** GET of one object of a kind. */
export const retrieve =
  (kind: string) =>
  async (call: Call, id: string): Promise<Reply> =>
    ok((await find<object>(call.db, kind, id)).body)

/** GET of a page of a kind; `filters` are the body fields that a parameter of that name must equal. */
export const listOf =
  (kind: string, filters: readonly string[] = []) =>
  async (call: Call, _id: string, url: string): Promise<Reply> => {
    const equal = Object.fromEntries(filters.map((name) => [name, text(call.params, name)]))
    return ok({ object: 'list', url, ...(await page(call.db, kind, call.params, equal)) })
  }

/** GET /v1/events/:id */
export async function retrieveEvent(call: Call, id: string): Promise<Reply> {
  const { body } = await find<object>(call.db, 'event', id)
  const [event] = await withPending(call.db, [body])
  return ok(event as object)
}

/** GET /v1/events, by `type` or `types[]`; the way to recover events that were never delivered. */
export async function listEvents(call: Call, _id: string, url: string): Promise<Reply> {
  const types = list(call.params, 'types')
  const type = types.length > 0 ? types : text(call.params, 'type')
  const found = await page(call.db, 'event', call.params, { type })
  const data = await withPending(call.db, found.data)
  return ok({ object: 'list', url, ...found, data })
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Replaces ids by their objects at the paths of `expand[]`; in lists each path starts with `data.`. */
export async function expand(db: Database, body: object, paths: string[]): Promise<object> {
  const copy: unknown = structuredClone(body)
  for (const path of paths.slice(0, 20)) await follow(db, copy, path.split('.').slice(0, 4))
  return copy as object
}

async function follow(db: Database, value: unknown, path: string[]): Promise<void> {
  const [name, ...rest] = path
  if (name === undefined || !isFields(value)) return
  if (Array.isArray(value)) {
    for (const item of value) await follow(db, item, path)
    return
  }
  if (!Object.hasOwn(value, name)) return
  const found = value[name]
  if (typeof found === 'string') value[name] = (await findAny(db, found)) ?? found
  await follow(db, value[name], rest)
}
