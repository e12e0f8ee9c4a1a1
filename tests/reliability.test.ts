/** The table of docs/reliability.md tells the truth: all twenty faults, and every test that it names exists. */
import { expect, test } from 'vitest'
import { cellsOf, proofsOf, readText } from './support/proofs.ts'

const rows = readText('docs/reliability.md')
  .split('\n')
  .filter((line) => /^\| R\d/.test(line))
  .map(cellsOf)

test('the table names R1 to R20, each once', () => {
  const wanted = Array.from({ length: 20 }, (_, i) => `R${i + 1}`)
  expect(rows.map(([fault = '']) => fault.split(' ')[0])).toEqual(wanted)
})

test.each(rows)('%s', (_, holds, tests = '') => {
  expect(holds).not.toBe('')
  for (const { file, title } of proofsOf(tests)) {
    expect(title, `${file}: names a test`).not.toBe('')
    expect(readText(file), `${file}: ${title}`).toContain(title)
  }
})
