/**
 * npm run bench:bookings [-- rate seconds]: by default 500 bookings a second for a minute, by 5,000
 * customers on five parts, over HTTP against a warm shop with all its limits on. Exits with 1 when
 * the shop broke a guarantee: it sold units that did not exist, lost or duplicated an order that it
 * had confirmed, failed other than with a declared 503, or used more and more memory.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { program, startShop } from '#tests/support/shop-process.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'
import { type Answered, type BookingCall, makeCustomers, sendAtRate } from './booking-load.ts'
import { countOwnWork, countWork, postmasterOf } from './measure.ts'

const [rate = 500, seconds = 60] = process.argv.slice(2).map(Number)
const customers = 5_000
/** The last part sells out during the run. */
const stock = [20_000, 20_000, 20_000, 20_000, 1_000]
/** A sender that is later than this gets too little of the machine to measure the shop. */
const maxLateMs = 1_000
/** The allowed growth of memory from the middle to the end. */
const mayGrow = 1.1

const folder = await dataFolder()
const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'bench:bookings' })
const settings = { DEMO: 'off', RATE_LIMIT: 'on', JOB_SECONDS: '60', LOG_LEVEL: 'error' }
const shop = await startShop({ DATABASE_URL: database.url, ...settings }, folder)
const pool = new pg.Pool({ connectionString: database.url, max: 2 })

async function resident(): Promise<number> {
  const status = await readFile(`/proc/${shop.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** Bookings in rotation: each customer and each part equally often. */
async function prepareCalls(): Promise<(i: number) => BookingCall> {
  const accounts = await makeCustomers(pool, { folder, origin: shop.origin, count: customers })
  const parts: string[] = []
  for (const onHand of stock) parts.push((await stockPart(pool, { onHand }))._id)
  // no store has this picture, so the doctor would report it as missing
  await pool.query(`update parts set image = '/bench.webp'`)
  return (i) => ({
    token: accounts[i % customers]?.token ?? '',
    key: randomUUID(),
    body: JSON.stringify({ partId: parts[i % 5], quantity: 1, phone: '+1 555 0100' }),
  })
}

const at = (sorted: number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

function printLatencies(what: string, answers: Answered[]): void {
  if (answers.length === 0) return
  const ms = answers.map((answer) => answer.ms).toSorted((a, b) => a - b)
  const [p50, p95, p99] = [at(ms, 0.5), at(ms, 0.95), at(ms, 0.99)]
  const figures = `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`
  console.log(`${what.padEnd(28)}${String(answers.length).padStart(7)}   ${figures}`)
}

/**
 * Prints the responses by kind; latencies count from the moment when a booking should have been
 * sent.
 */
function report(answers: Answered[]): void {
  const kinds = new Map<string, Answered[]>()
  for (const answer of answers) {
    const kind = answer.status === 200 ? 'booked' : `${answer.status} ${answer.code}`
    const same = kinds.get(kind) ?? []
    same.push(answer)
    kinds.set(kind, same)
  }
  for (const [kind, same] of kinds) printLatencies(kind, same)
  printLatencies('all', answers)
}

/** Each guarantee with the evidence against it; empty when it was kept. */
async function brokenPromises(
  answers: Answered[],
): Promise<[promise: string, against: string[]][]> {
  const { rows } = await pool.query<{ _id: string; key: string }>(
    'select _id, idempotency_key as key from orders',
  )
  const orderOf = new Map(rows.map(({ _id, key }) => [key, _id]))
  const booked = answers.filter(({ status }) => status === 200)
  const lost = booked.filter(({ call, code }) => orderOf.get(call.key) !== code)
  const refused = answers.filter(({ status }) => status >= 400)
  const undeclared = refused.filter(
    ({ status, code, retryAfter }) => status >= 500 && !(code === 'UNAVAILABLE' && retryAfter),
  )
  const oversold = await pool.query(
    `select p.name from parts p join orders o on o.part_id = p._id
     group by p._id having sum(o.quantity) > p.on_hand`,
  )
  return [
    ['no part is sold beyond its stock', oversold.rows.map(({ name }) => name)],
    ['every acknowledged order is kept once', lost.map(({ code }) => code)],
    ['one key is one order', rows.length === orderOf.size ? [] : [`${rows.length} orders`]],
    [
      'what was refused changed nothing',
      refused.filter(({ call }) => orderOf.has(call.key)).map(({ code }) => code),
    ],
    [
      'no failure but a declared 503',
      [...new Set(undeclared.map(({ status, code }) => `${status} ${code}`))],
    ],
    [
      'every request is answered',
      [...new Set(answers.filter(({ status }) => status === 0).map(({ code }) => code))],
    ],
    ['stock, orders and ledger agree', await brokenInvariants(pool)],
    ['the doctor finds nothing', await askDoctor()],
  ]
}

/** The output of `npm run doctor` when it finds issues in this shop. */
async function askDoctor(): Promise<string[]> {
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: database.url }
  const doctor = await program('doctor')
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) =>
    execFile(process.execPath, [doctor], { env }, (error, out) =>
      resolve({ code: error ? 1 : 0, stdout: out }),
    ),
  )
  return code === 0 ? [] : [stdout]
}

/** Records the memory of the shop while `work` runs. @returns megabytes, one value a second */
async function watching<T>(work: Promise<T>): Promise<[T, number[]]> {
  const memory: number[] = []
  const timer = setInterval(async () => memory.push(await resident()), 1_000)
  try {
    return [await work, memory]
  } finally {
    clearInterval(timer)
  }
}

/**
 * Compares the maximum of the last third with that of the middle third, so that memory used at the
 * start does not count as growth.
 */
function growth(memory: number[]): string[] {
  const third = Math.ceil(memory.length / 3)
  const [middle, end] = [memory.slice(third, 2 * third), memory.slice(2 * third)].map((some) =>
    Math.max(0, ...some),
  ) as [number, number]
  return end > middle * mayGrow ? [`${middle} MB, then ${end} MB`] : []
}

/**
 * Prints the processor time that one booking costs each process, and the throughput that follows
 * from it.
 */
function printWork(answers: Answered[], [shopMs, databaseMs, senderMs]: number[]): void {
  const each = (ms = 0) => `${(ms / answers.length).toFixed(2)} ms`
  const all = ((shopMs ?? 0) + (databaseMs ?? 0) + (senderMs ?? 0)) / answers.length
  const cores = availableParallelism()
  console.log(
    `\nOn a processor for each: shop ${each(shopMs)}, database ${each(databaseMs)}, this sender ${each(senderMs)}; ` +
      `${cores} processors with nothing else to do could take ${Math.floor((cores * 1_000) / all)} a second`,
  )
}

try {
  const make = await prepareCalls()
  // a shop that has just opened runs cold code: in the first seconds, it handles a third of its
  // later rate
  const warming = await sendAtRate(shop.origin, { rate: rate / 5, seconds: 5, make })
  const counting = [await countWork(shop.pid ?? 0), await countWork(await postmasterOf(pool))]
  const sender = countOwnWork()
  const sending = sendAtRate(shop.origin, { rate, seconds, make })
  const [{ answers, lateMs }, memory] = await watching(sending)
  const work = await Promise.all([...counting, sender].map((worked) => worked()))
  console.log(
    `${rate} bookings a second for ${seconds} seconds, ${customers} customers, ${stock.length} parts`,
  )
  report(answers)
  const took = memory.length || 1
  const served = Math.round(answers.filter(({ status }) => status < 500).length / took)
  console.log(
    `${served} a second were served until the last answer; the sender was at most ${Math.round(lateMs)} ms late`,
  )
  console.log(
    `Memory of the shop, every 5 seconds: ${memory.filter((_, i) => i % 5 === 4).join(' ')} MB`,
  )
  printWork(answers, work)
  console.log()
  if (lateMs > maxLateMs) {
    console.log(
      'This machine could not even send that many in time: the shop had less than its share, so these figures describe the machine.',
    )
  }
  const promises = [
    ...(await brokenPromises([...warming.answers, ...answers])),
    ['memory is flat', growth(memory)] as const,
  ]
  for (const [promise, against] of promises) {
    console.log(`${against.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}`)
    for (const one of against.slice(0, 3)) console.log(`        ${one}`)
  }
  if (promises.some(([, against]) => against.length > 0)) process.exitCode = 1
} finally {
  await shop.end('SIGTERM')
  await pool.end()
  await database.stop()
  await removeDataFolder(folder)
}
