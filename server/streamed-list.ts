import type { Context, TypedResponse } from 'hono'
import type { Piece } from '#contracts/lists.ts'

/** Rows read at once: a list of any length needs the memory of so many. */
const batch = 500

type Read<Row> = (piece: { limit: number; after: string | undefined }) => Promise<Row[]>

/** The list in batches. @param read rows in the list's order, those after the row with the id `after` */
async function* batches<Row extends { _id: string }>(read: Read<Row>, piece: Piece) {
  let left = piece.limit ?? Number.POSITIVE_INFINITY
  let { after } = piece
  while (left > 0) {
    const limit = Math.min(batch, left)
    const rows = await read({ limit, after })
    yield rows
    if (rows.length < limit) return
    left -= limit
    after = rows.at(-1)?._id
  }
}

/** Answers a JSON array row by row, never held whole. The first rows are read before: their failure is an answer too. */
export async function streamList<Row extends { _id: string }>(
  c: Context,
  piece: Piece,
  read: Read<Row>,
): Promise<Response & TypedResponse<Row[], 200, 'json'>> {
  const rest = batches(read, piece)
  const first = await rest.next()
  const text = async function* () {
    let comma = ''
    yield '['
    for (let step = first; !step.done; step = await rest.next()) {
      const rows = step.value.map((row) => JSON.stringify(row)).join(',')
      if (rows) yield comma + rows
      comma = ','
    }
    yield ']'
  }
  const body = ReadableStream.from(text()).pipeThrough(new TextEncoderStream())
  const answer = c.body(body as ReadableStream, 200, { 'content-type': 'application/json' })
  return answer as Response & TypedResponse<Row[], 200, 'json'>
}
