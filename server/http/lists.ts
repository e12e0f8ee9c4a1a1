import type { Context, TypedResponse } from 'hono'
import type { Piece } from '#contracts/lists.ts'
import { byteOrderMark, type Cell, csvLines, type DecimalSign } from './csv.ts'

/** Rows read at once: a list of any length needs the memory of so many. */
const batch = 500

const encoder = new TextEncoder()

type Read<Row> = (piece: { limit: number; after: string | undefined }) => Promise<Row[]>
type Batches<Row> = AsyncGenerator<Row[], void>

/** The list in batches. @param read rows in the list's order, those after the row with the id `after` */
async function* batches<Row extends { _id: string | number }>(
  read: Read<Row>,
  piece: Piece,
): Batches<Row> {
  let left = piece.limit ?? Number.POSITIVE_INFINITY
  let { after } = piece
  while (left > 0) {
    const limit = Math.min(batch, left)
    const rows = await read({ limit, after })
    yield rows
    if (rows.length < limit) return
    left -= limit
    const last = rows.at(-1)?._id
    after = last === undefined ? undefined : String(last)
  }
}

/** The same batches, the first of which is read already: its failure is an answer too. */
async function begun<Row>(rest: Batches<Row>): Promise<Batches<Row>> {
  const first = await rest.next()
  return (async function* again() {
    if (!first.done) yield first.value
    yield* rest
  })()
}

async function* jsonArray<Row>(rows: Batches<Row>): AsyncGenerator<string, void> {
  yield '['
  let comma = ''
  for await (const some of rows) {
    const text = some.map((row) => JSON.stringify(row)).join(',')
    if (text) yield comma + text
    comma = ','
  }
  yield ']'
}

async function* csvSheet<Row>(
  rows: Batches<Row>,
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

/** A body of which no more is made than its reader takes, and nothing more once the reader has gone. */
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

/** Answers a JSON array row by row, never held whole. */
export async function streamList<Row extends { _id: string }>(
  c: Context,
  piece: Piece,
  read: Read<Row>,
): Promise<Response & TypedResponse<Row[], 200, 'json'>> {
  const rows = await begun(batches(read, piece))
  const answer: Response = streamed(c, jsonArray(rows), { 'content-type': 'application/json' })
  return answer as Response & TypedResponse<Row[], 200, 'json'>
}

/** What each column of a sheet shows of a row, in order, by the name in its first line. */
export type Columns<Row> = Record<string, (row: Row) => Cell>

/** As spreadsheets read a date and time; the column says that it is of UTC. @param moment ISO 8601 */
export const timeCell = (moment: string | null) => moment?.slice(0, 19).replace('T', ' ') ?? null

/** Answers the whole list as a CSV file with today's date (UTC) in its name. @param read as of the list itself */
export async function streamCsv<Row extends { _id: string | number }>(
  c: Context,
  sheet: { name: string; columns: Columns<Row>; decimals: DecimalSign },
  read: Read<Row>,
) {
  const rows = await begun(batches(read, {}))
  const today = new Date().toISOString().slice(0, 10)
  return streamed(c, csvSheet(rows, sheet.columns, sheet.decimals), {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${sheet.name}-${today}.csv"`,
  })
}
