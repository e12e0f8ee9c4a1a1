/** The home page while the shop reads supplier files that are crafted to block it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { workbookOf, zipOf } from '#tests/support/workbook.ts'
import { makeCustomers } from './booking-load.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** A workbook with two sheets of empty cells, 47 MB each. */
const emptyCells = () => {
  const sheet = `<row>${'<c/>'.repeat(11_750_000)}</row>`
  return zipOf({
    'xl/workbook.xml': '<sheet r:id="a"/><sheet r:id="b"/>',
    'xl/_rels/workbook.xml.rels':
      '<Relationship Id="a" Target="worksheets/a.xml"/><Relationship Id="b" Target="worksheets/b.xml"/>',
    'xl/worksheets/a.xml': sheet,
    'xl/worksheets/b.xml': sheet,
  })
}
const scripts = '<script>'.repeat(7_000)
const files: (() => string | Uint8Array<ArrayBuffer>)[] = [
  () =>
    workbookOf([
      ['SKU', 'Title', 'Long description', 'Price'],
      ['A-1', 'Fan', scripts, 12],
    ]),
  () => `SKU;Title;Long description;Price\n${`A-1;Fan;${scripts};12\n`.repeat(120)}`,
  () =>
    `name,kind,price,description\n${Array.from({ length: 10_000 }, (_, i) => `Part ${i},fan,10,<p>${'word '.repeat(100)}`).join('\n')}`,
  emptyCells,
]

/**
 * @returns the 95th percentile and the maximum of home page visits while files are read, in
 * milliseconds
 */
export async function besideFiles({
  origin,
  folder,
  pool,
}: {
  origin: string
  folder: string
  pool: Pool
}): Promise<{ p95: number; longest: number }> {
  const [admin] = await makeCustomers(pool, { folder, origin, count: 1, group: 'files' })
  await pool.query(`update users set role = 'admin' where _id = $1`, [admin?.userId])
  const ms: number[] = []
  for (const make of files) {
    const body = make()
    const reading = fetch(`${origin}/api/products/import?dryRun=true`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin?.token}`,
        'content-type': typeof body === 'string' ? 'text/csv' : xlsx,
      },
      body,
    })
    let isOver = false
    const over = reading.finally(() => {
      isOver = true
    })
    while (!isOver) {
      const since = performance.now()
      await (await fetch(origin)).arrayBuffer()
      ms.push(performance.now() - since)
      await pause(5)
    }
    const { status } = await over
    if (status !== 200) throw new Error(`a dry run was answered ${status}`)
  }
  ms.sort((a, b) => a - b)
  return { p95: ms[Math.floor(ms.length * 0.95)] ?? 0, longest: ms.at(-1) ?? 0 }
}
