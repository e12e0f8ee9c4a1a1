/** The table of docs/specification-coverage.md tells the truth: no empty cell, every file is there, every test exists. */
import { describe, expect, test } from 'vitest'
import { cellsOf, proofsOf, readText as read } from './support/proofs.ts'

function rowOf(line: string) {
  const [rule = '', where = '', test = ''] = cellsOf(line)
  const places = [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string)
  return { rule, places, proofs: proofsOf(test) }
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
