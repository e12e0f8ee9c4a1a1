import { AppError } from '#server/errors.ts'

/**
 * Error codes that concern one line. An error that concerns the customer ends the request at once.
 */
const ofLine = ['INVALID', 'STOCK_GONE', 'NOT_FOUND', 'HOLD_REFUSED', 'TERMS_CHANGED']

type Refusal = { field: string; error: AppError }

/** Combines the refusals of several lines. A missing part counts as out of stock. */
function refusalOf(refusals: Refusal[], first: Refusal): AppError {
  const code = refusals.find(({ error }) => error.code !== first.error.code)
    ? 'STOCK_GONE'
    : first.error.code
  const fields = Object.fromEntries(
    refusals.map(({ field, error }) => [field, error.fields?.quantity ?? error.message]),
  )
  const message = [...new Set(Object.values(fields))].join(' ')
  return new AppError(code === 'NOT_FOUND' ? 'STOCK_GONE' : code, message, fields)
}

/**
 * Runs `work` for each line, one after the other.
 * @returns the results
 * @throws AppError with the refusals of all lines, each at the field of its line; the refusal of a
 *   single line unchanged
 */
export async function forLines<Line extends { field: string }, Result>(
  lines: Line[],
  work: (line: Line) => Result | Promise<Result>,
): Promise<Result[]> {
  const refusals: Refusal[] = []
  const results: Result[] = []
  for (const line of lines) {
    try {
      results.push(await work(line))
    } catch (error) {
      if (lines.length === 1 || !(error instanceof AppError) || !ofLine.includes(error.code))
        throw error
      refusals.push({ field: line.field, error })
    }
  }
  const [first] = refusals
  if (first) throw refusalOf(refusals, first)
  return results
}
