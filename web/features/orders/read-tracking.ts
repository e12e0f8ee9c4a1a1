import { parse } from 'csv-parse/browser/esm/sync'

/** A tracking number of an order, as it was pasted. */
export type PastedNumber = { number: string; trackingNumber: string }

const orderNumber = /^F-\d{1,15}$/i
/** At least six letters and digits, one of them a digit: no name, date or price. */
const tracking = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9 -]{4,38}[A-Za-z0-9]$/

/** The cells of a line: of a CSV file, whose texts may have separators in quotes, or of words. */
function cellsOf(line: string): string[] {
  if (!/[\t;,]/.test(line)) return line.trim().split(/\s+/)
  const delimiter = ['\t', ';', ','].find((each) => line.includes(each)) ?? ','
  const [cells = []] = parse(line, { delimiter, relax_quotes: true, trim: true }) as string[][]
  return cells
}

/** The column of a carrier's file with this heading; -1 without one. */
const columnOf = (cells: string[], heading: RegExp): number =>
  cells.findIndex((cell) => heading.test(cell))
const trackingHeading = /track|sendung|shipment|parcel (no|number)|consignment/i
const referenceHeading = /ref|order|bestell|auftrag/i

/**
 * Reads tracking numbers that were pasted or come from a carrier's file: a line for each parcel,
 * with an order number like F-1042 and the tracking number. With headings, both come from their
 * columns: what a customer typed as a company may look like the number of another order. Without,
 * a line has one order number.
 * @returns what was read, and the lines that name an order and cannot be told for sure
 */
export function readTracking(text: string): { read: PastedNumber[]; unread: string[] } {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const heading = cellsOf(lines[0] ?? '')
  const hasHeading = !heading.some((cell) => orderNumber.test(cell))
  const ofTracking = hasHeading ? columnOf(heading, trackingHeading) : -1
  const ofReference = hasHeading ? columnOf(heading, referenceHeading) : -1
  const found = new Map<string, { trackingNumber: string; line: string } | null>()
  const unread: string[] = []
  for (const line of lines) {
    const cells = cellsOf(line)
    const named = ofReference < 0 ? cells : cells.slice(ofReference, ofReference + 1)
    const numbers = [...new Set(named.filter((cell) => orderNumber.test(cell)))]
    const [number, ...others] = numbers.map((each) => each.toUpperCase())
    if (!number) continue
    const after = cells.slice(cells.findIndex((cell) => cell.toUpperCase() === number) + 1)
    const candidates = ofTracking < 0 ? [...after, ...cells] : [cells[ofTracking] ?? '']
    const trackingNumber = candidates.find((cell) => !orderNumber.test(cell) && tracking.test(cell))
    const before = found.get(number)
    const isOther = before !== undefined && before?.trackingNumber !== trackingNumber
    if (others.length > 0 || !trackingNumber || isOther) {
      unread.push(line.trim())
      // of an order with two numbers, neither is sure
      if (before) unread.push(before.line)
      if (isOther) found.set(number, null)
    } else found.set(number, { trackingNumber, line: line.trim() })
  }
  const read = [...found].flatMap(([number, sure]) =>
    sure ? [{ number, trackingNumber: sure.trackingNumber }] : [],
  )
  return { read, unread }
}
