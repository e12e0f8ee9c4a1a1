/**
 * npm run bench:large: how long each screen of the owner waits for the shop of `npm run seed:large`, and what an export
 * of all of it needs. Milliseconds over HTTP, one request after the other, so that nothing waits for another.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/database/embedded.ts'
import { call, register } from '#tests/support/people.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { largeQuestions } from './large-questions.ts'

const rounds = 40
const budgetMs = 50

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../data-large'))
if (!existsSync(folder)) {
  console.error(`There is no ${folder}: npm run seed:large makes it.`)
  process.exit(1)
}
const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'bench:large' })
const shop = await startShop({
  DATABASE_URL: database.url,
  DEMO: 'off',
  SWEEP_SECONDS: '3600',
  LOG_LEVEL: 'error',
})
const pool = new pg.Pool({ connectionString: database.url, max: 1 })

async function ownerToken(): Promise<string> {
  const { email, token } = await register(shop.origin, 'Bench Owner')
  const make = `update users set role = 'admin', email_verified = true where email = $1`
  await pool.query(make, [email])
  return token
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Sorted milliseconds of these requests in turn, after one of each that is not counted. */
async function waits(token: string, paths: string[]): Promise<number[]> {
  const all: number[] = []
  for (let i = -Math.min(paths.length, 5); i < rounds; i += 1) {
    const path = paths.at(i % paths.length) ?? ''
    const began = performance.now()
    const { status } = await call(shop.origin, 'GET', path, { token })
    const ms = performance.now() - began
    if (status !== 200) throw new Error(`${path}: ${status}`)
    if (i >= 0) all.push(ms)
  }
  return all.toSorted((a, b) => a - b)
}

async function screens(token: string): Promise<void> {
  let above = 0
  for (const [what, paths] of Object.entries(await largeQuestions(pool))) {
    const all = await waits(token, paths)
    const p95 = at(all, 0.95)
    if (p95 > budgetMs) above += 1
    const figures = `${at(all, 0.5).toFixed(1).padStart(8)}${p95.toFixed(1).padStart(8)}`
    console.log(`${what.padEnd(52)}${figures}${p95 > budgetMs ? '   above' : ''}`)
  }
  console.log(`${above} above ${budgetMs} ms at the 95th percentile\n`)
}

/** Resident megabytes of the server process, where the system tells them. */
async function resident(): Promise<number> {
  const status = await readFile(`/proc/${shop.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** Reads a whole file as it comes, and the memory of the server at each tenth of a megabyte or so. */
async function exportAll(token: string, path: string): Promise<void> {
  const before = await resident()
  const began = performance.now()
  const answer = await fetch(`${shop.origin}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  let bytes = 0
  let most = before
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    most = Math.max(most, await resident())
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const size = (bytes / 2 ** 20).toFixed(1)
  console.log(`${path}: ${size} MB in ${seconds} s; memory ${before} MB before, ${most} MB at most`)
}

async function importAll(token: string): Promise<void> {
  const { body } = await call(shop.origin, 'GET', '/api/products.csv', { token })
  const dearer = body.replaceAll(/,(\d+),(\d+),(\d+),(\d+),(\d+),/g, ',7,$2,$3,$4,$5,')
  for (const [what, sheet] of [
    ['as they are', body],
    ['all changed', dearer],
  ]) {
    const began = performance.now()
    const headers = { 'content-type': 'text/csv' }
    const options = { token, body: sheet, headers }
    const answer = await call(shop.origin, 'POST', '/api/products/import?dryRun=true', options)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const { problems, ...report } = answer.body
    console.log(
      `import of all products, ${what}: ${seconds} s`,
      answer.status,
      report,
      problems?.length,
    )
  }
}

try {
  const token = await ownerToken()
  console.log(`${'milliseconds'.padEnd(52)}${'median'.padStart(8)}${'95 %'.padStart(8)}`)
  await screens(token)
  for (const path of ['/api/allOrders.csv', '/api/allOrders.csv', '/api/products.csv'])
    await exportAll(token, path)
  await importAll(token)
} finally {
  await shop.end('SIGTERM')
  await pool.end()
  await database.stop()
}
