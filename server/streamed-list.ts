import type { Context, TypedResponse } from 'hono'
import type { Piece } from '#contracts/lists.ts'

/** Rows read at once: a list of any length needs the memory of so many. */
const batch = 500

const encoder = new TextEncoder()

type Read<Row> = (piece: { limit: number; after: string | undefined }) => Promise<Row[]>

/** The list in batches. @param read rows in the list's order, those after the row with the id `after` */
async function* batches<Row extends { _id: string }>(
  read: Read<Row>,
  piece: Piece,
): AsyncGenerator<Row[], void> {
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

async function* jsonArray<Row>(
  first: IteratorResult<Row[], void>,
  rest: AsyncGenerator<Row[], void>,
): AsyncGenerator<string, void> {
  yield '['
  let comma = ''
  for (let step = first; !step.done; step = await rest.next()) {
    const rows = step.value.map((row) => JSON.stringify(row)).join(',')
    if (rows) yield comma + rows
    comma = ','
  }
  yield ']'
}

/** Answers a JSON array row by row, never held whole. The first rows are read before: their failure is an answer too. */
export async function streamList<Row extends { _id: string }>(
  c: Context,
  piece: Piece,
  read: Read<Row>,
): Promise<Response & TypedResponse<Row[], 200, 'json'>> {
  const rest = batches(read, piece)
  const first = await rest.next()
  const text = jsonArray(first, rest)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await text.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  const answer: Response = c.body(body, 200, { 'content-type': 'application/json' })
  return answer as Response & TypedResponse<Row[], 200, 'json'>
}
