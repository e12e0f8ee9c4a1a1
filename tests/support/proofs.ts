/** Tables in docs that name the tests behind them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
export const readText = (path: string) => readFileSync(join(root, path), 'utf8')

type Proof = { file: string; title: string }

/** The cells of a table's line. */
export const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** `` `file` › title ``, several parted by `;`. */
export const proofsOf = (cell: string): Proof[] =>
  cell
    .split(/;\s*(?=`)/)
    .map((proof) => /^`([^`]+)` › (.+)$/.exec(proof.trim()))
    .map((found) => ({ file: found?.[1] ?? '', title: found?.[2] ?? '' }))
