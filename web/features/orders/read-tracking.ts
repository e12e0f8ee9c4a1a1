/** A tracking number of an order, as it was pasted. */
export type PastedNumber = { number: string; trackingNumber: string }

const orderNumber = /^F-\d{1,15}$/i
/** At least six letters and digits, one of them a digit: no name, date or price. */
const tracking = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9 -]{4,38}[A-Za-z0-9]$/

const cellsOf = (line: string): string[] =>
  (/[\t;,]/.test(line) ? line.split(/[\t;,]/) : line.trim().split(/\s+/)).map((cell) =>
    cell.trim().replaceAll(/^["']+|["']+$/g, ''),
  )

/**
 * The column of a carrier's file that has tracking numbers, by its heading.
 * @returns -1 without one
 */
const trackingColumn = (cells: string[]): number =>
  cells.findIndex((cell) => /track|sendung|shipment|parcel (no|number)|consignment/i.test(cell))

/**
 * Reads tracking numbers that were pasted or come from a carrier's file: a line for each parcel,
 * with an order number like F-1042 and the tracking number, in any columns.
 * @returns what was read, and the lines that have an order number and no tracking number
 */
export function readTracking(text: string): { read: PastedNumber[]; unread: string[] } {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const [heading = ''] = lines
  const column = cellsOf(heading).some((cell) => orderNumber.test(cell))
    ? -1
    : trackingColumn(cellsOf(heading))
  const read: PastedNumber[] = []
  const unread: string[] = []
  for (const line of lines) {
    const cells = cellsOf(line)
    const number = cells.find((cell) => orderNumber.test(cell))
    if (!number) continue
    const named = column < 0 ? undefined : cells[column]
    const after = cells.slice(cells.indexOf(number) + 1)
    const found =
      named || [...after, ...cells].find((cell) => !orderNumber.test(cell) && tracking.test(cell))
    if (found) read.push({ number: number.toUpperCase(), trackingNumber: found })
    else unread.push(line.trim())
  }
  return { read, unread }
}
