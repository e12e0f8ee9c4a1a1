/**
 * Finds amounts of another currency in a file. They would be read as amounts in the shop's
 * currency.
 */
import { type Currency, currencies, currencyCodes } from '#contracts/money.ts'
import { columnOf, type ImportPlan, type ImportProblem } from '#contracts/parts-csv.ts'
import type { Table } from './read-table.ts'

/** Currency codes in price lists, including some that a shop cannot have. */
const codes = [...currencyCodes, 'JPY', 'CNY', 'RMB', 'HUF', 'TRY', 'KRW', 'ZAR', 'ILS', 'TWD']
const named = new RegExp(`(?<![\\p{L}])(${codes.join('|')})(?![\\p{L}])|[$€£₹¥]`, 'iu')
const isCurrencyColumn = /^(currency|currency code|curr|iso currency|währung|waehrung)\.?$/i

/** Finds a currency code or sign in a text; undefined when there is none. */
const currencyIn = (text: string): string | undefined => named.exec(text.slice(0, 200))?.[0]

const isOwn = (word: string, currency: Currency): boolean =>
  word.toUpperCase() === currency ||
  // a sign; several currencies use the dollar sign
  (word.length === 1 && currencies[currency].sign.trim().endsWith(word))

/**
 * Checks the currencies of a file.
 * @returns a problem for each column of amounts with another currency in its header or a cell, and
 *   for a column of currency codes with another code
 */
export function currencyProblems(
  { names, lines }: Table,
  plan: ImportPlan,
  currency: Currency,
): ImportProblem[] {
  return names.flatMap((name, i) => {
    const column = columnOf(plan.columns, name) ?? ''
    const isAmount = column === 'price' || column === 'cost'
    if (!isAmount && !isCurrencyColumn.test(name.trim())) return []
    const texts = lines.map(({ line, cells }) => ({ line, text: String(cells[i] ?? '') }))
    const all = [{ line: 1, text: name }, ...texts]
    const other = all
      .map(({ line, text }) => ({ line, word: currencyIn(text) }))
      .find(({ word }) => word !== undefined && !isOwn(word, currency))
    if (!other) return []
    const advice = isAmount ? ' Convert the column, or leave it out.' : ' Convert its prices first.'
    const message = `“${name.slice(0, 60)}” says ${other.word}, but this shop sells in ${currency}.${advice}`
    return [{ line: other.line, field: column || name.slice(0, 60), message }]
  })
}
