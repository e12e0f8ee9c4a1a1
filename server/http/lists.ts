import type { Context, TypedResponse } from 'hono'
import type { Page } from '#contracts/lists.ts'
import { dayIn } from '#contracts/shop-days.ts'
import type { Database } from '#server/database/client.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { readTimeZone } from '#server/database/shop-days.ts'
import { byteOrderMark, type Cell, csvLines, type DecimalSign } from './csv.ts'

/** Rows per chunk, which limits the memory for a list of any length. */
const chunkSize = 500

const encoder = new TextEncoder()

type Read<Row> = (page: { limit: number; after: string | undefined }) => Promise<Row[]>
type Chunks<Row> = AsyncGenerator<Row[], void>

/**
 * Reads the list in chunks. @param read returns rows in order, after the row with the id `after`
 */
async function* chunks<Row extends { _id: string | number }>(
  read: Read<Row>,
  page: Page,
): Chunks<Row> {
  let left = page.limit ?? Number.POSITIVE_INFINITY
  let { after } = page
  while (left > 0) {
    const limit = Math.min(chunkSize, left)
    const rows = await read({ limit, after })
    yield rows
    if (rows.length < limit) return
    left -= limit
    const last = rows.at(-1)?._id
    after = last === undefined ? undefined : String(last)
  }
}

/**
 * A complete list as the text of a JSON array, never in memory as a whole. @param toItem converts a
 * row
 */
export const jsonList = <Row extends { _id: string }>(
  read: Read<Row>,
  toItem: (row: Row) => unknown,
) => jsonArray(chunks(read, {}), toItem)

/**
 * Reads the first chunk before the response begins, so that an error there still sets the status.
 */
async function begun<Row>(rest: Chunks<Row>): Promise<Chunks<Row>> {
  const first = await rest.next()
  return (async function* again() {
    if (!first.done) yield first.value
    yield* rest
  })()
}

/** A list as the text of a JSON array, chunk by chunk. @param toItem converts a row */
async function* jsonArray<Row>(
  rows: Chunks<Row>,
  toItem: (row: Row) => unknown = (row) => row,
): AsyncGenerator<string, void> {
  yield '['
  let comma = ''
  for await (const some of rows) {
    const text = some.map((row) => JSON.stringify(toItem(row))).join(',')
    if (text) yield comma + text
    comma = ','
  }
  yield ']'
}

async function* csvText<Row>(
  rows: Chunks<Row>,
  columns: Columns<Row>,
  decimals: DecimalSign,
): AsyncGenerator<string, void> {
  yield byteOrderMark + csvLines([Object.keys(columns)], decimals)
  const cells = Object.values(columns)
  for await (const some of rows)
    yield csvLines(
      some.map((row) => cells.map((cell) => cell(row))),
      decimals,
    )
}

/**
 * A streamed body: generated at the client's reading speed, and only while the client is connected.
 */
export function streamed(
  c: Context,
  text: AsyncGenerator<string, void>,
  headers: Record<string, string>,
) {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await text.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await text.return()
      },
    },
    { highWaterMark: 0 },
  )
  return c.body(body, 200, headers)
}

/** Streams a JSON array in chunks. */
export async function streamList<Row extends { _id: string }>(
  c: Context,
  page: Page,
  read: Read<Row>,
): Promise<Response & TypedResponse<Row[], 200, 'json'>> {
  const rows = await begun(chunks(read, page))
  const answer: Response = streamed(c, jsonArray(rows), { 'content-type': 'application/json' })
  return answer as Response & TypedResponse<Row[], 200, 'json'>
}

/** The columns of a CSV file in order: header to cell. */
export type Columns<Row> = Record<string, (row: Row) => Cell>

/**
 * Streams the complete list as a CSV file with the shop's date in its name. When the rows come
 * from a replica, `x-data-age` is the number of seconds by which they may be behind.
 * @param read as for the list itself
 */
export async function streamCsv<Row extends { _id: string | number }>(
  c: Context,
  file: {
    name: string
    /** By the shop's time zone, which headers of times name. */
    columns: (timeZone: string) => Columns<Row>
    decimals: DecimalSign
    reading: ReadSource
  },
  read: (db: Database, page: Parameters<Read<Row>>[0]) => Promise<Row[]>,
) {
  const source = await file.reading.open()
  const rows = await begun(chunks((page) => source.read((db) => read(db, page)), {}))
  const timeZone = await source.read(readTimeZone)
  const today = dayIn(timeZone, Date.now())
  return streamed(c, csvText(rows, file.columns(timeZone), file.decimals), {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${file.name}-${today}.csv"`,
    ...(source.age !== null && { 'x-data-age': String(source.age) }),
  })
}
