import { AppError } from '#server/errors.ts'

/** Codes that are about one line. What is about the customer ends the whole at once. */
const ofLine = ['INVALID', 'STOCK_GONE', 'NOT_FOUND', 'HOLD_REFUSED', 'TERMS_CHANGED']

type Refusal = { field: string; error: AppError }

/** One refusal for all of them. A missing part is out of stock to one who books others with it. */
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
 * Does the work of each line, one after the other.
 * @returns the results
 * @throws AppError the refusals of all lines at once, each at the field of its line; that of a
 *   single line as it is
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
