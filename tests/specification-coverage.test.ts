/** The table of docs/specification-coverage.md tells the truth: no empty cell, every file is there, every test exists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Row = { rule: string; places: string[]; proofs: { file: string; title: string }[] }

/** `` `file` `` and `` `file` › title ``, several parted by `;`. */
function rowOf(line: string): Row {
  const [rule = '', where = '', test = ''] = line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
  const places = [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string)
  const proofs = test
    .split(/;\s*(?=`)/)
    .map((proof) => /^`([^`]+)` › (.+)$/.exec(proof.trim()))
    .map((found) => ({ file: found?.[1] ?? '', title: found?.[2] ?? '' }))
  return { rule, places, proofs }
}

const rows = read('docs/specification-coverage.md')
  .split('\n')
  .filter((line) => /^\| (?!rule |---)/.test(line))
  .map(rowOf)

describe('the coverage of the specification', () => {
  test('is a table worth reading', () => expect(rows.length).toBeGreaterThan(80))

  test.each(rows)('$rule', ({ rule, places, proofs }) => {
    expect(rule).not.toBe('')
    expect(places.length).toBeGreaterThan(0)
    for (const place of places) expect(() => read(place), place).not.toThrow()
    for (const { file, title } of proofs) {
      expect(title, `${file}: names a test`).not.toBe('')
      expect(read(file), `${file}: ${title}`).toContain(title)
    }
  })
})
