/** Text in CSV files that no spreadsheet computes. Imports no schema library. */

/** The start of a cell that spreadsheets compute, or that has a guard already. */
const computed = /^(?='*[=+\-@\t\r\n＝＋－＠])/
const guarded = /^'(?='*[=+\-@\t\r\n＝＋－＠])/
/** The start of a cell, quoted or not, for a spreadsheet that assumes another separator. */
const computedInside = /[,;\t\r\n](?=["']*[=+\-@＝＋－＠])/g
const guardedInside = /([,;\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g

/** Puts an apostrophe before text that a spreadsheet would compute. */
export const guard = (text: string) => text.replace(computedInside, "$&'").replace(computed, "'")
/** Undoes `guard`. */
export const unguard = (cell: string) => cell.replace(guarded, '').replace(guardedInside, '$1')
