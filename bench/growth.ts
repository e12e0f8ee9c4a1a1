/**
 * npm run bench:growth: compares the shop's throughput under many loads with the predictions of the
 * model in `simulation.ts`. Then prints the model's predictions for machines and loads that were
 * never measured. Inputs of the model: the processor time of a request of each kind, measured at
 * sixteen lanes just before each load; the bench's own processor time; how long a commit waits for
 * the disk; and the load of other programs on the machine. docs/scaling.md explains the figures.
 * Nothing here is a test.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { connectionsFor } from '#server/database/client.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { register } from '#tests/support/people.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'
import { book, makeCustomers } from './booking-load.ts'
import { countOwnWork, countWork, middle, postmasterOf, timed } from './measure.ts'
import { insertParts, makeParts } from './parts.ts'
import { queries } from './queries.ts'
import {
  type Demand,
  type Load,
  type Setup,
  simulate,
  type Traffic,
  type Way,
} from './simulation.ts'

const catalogue = 10_000
const bookedParts = 32
const rounds = 5
/** The approximate length of a round. */
const seconds = 2
/** The number of lanes when measuring the work of one request. */
const counted = 16
const cores = availableParallelism()
/** How often a busy thread reports its processor time. */
const spinMs = 300

const folder = await dataFolder()
const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'bench:growth' })
const settings = {
  DATABASE_URL: database.url,
  DEMO: 'off',
  JOB_SECONDS: '3600',
  LOG_LEVEL: 'error',
  SANDBOX_CONTROLS: 'off',
  OPEN_HOLDS: '1000',
}
const shop = await startShop(settings)
const two = await startShop({ ...settings, WORKERS: '2' }, shop.dataDir)
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
pool.on('error', () => {})
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const get = (url: URL) =>
  new Promise<void>((resolve, reject) => {
    request(url, { agent, headers: { 'accept-encoding': 'br' } }, (answer) => {
      answer
        .resume()
        .on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${answer.statusCode}`)),
        )
    })
      .on('error', reject)
      .end()
  })

/**
 * The share of the processors that other programs leave to us, measured by one busy thread per
 * processor.
 */
async function processorsLeft(): Promise<number> {
  const spin = `const { parentPort } = require('node:worker_threads'); const began = performance.now()
    const before = process.threadCpuUsage(); while (performance.now() - began < ${spinMs});
    const { user, system } = process.threadCpuUsage(before)
    parentPort.postMessage((user + system) / 1000 / (performance.now() - began))`
  const spinners = Array.from({ length: cores }, () => new Worker(spin, { eval: true }))
  const shares = await Promise.all(spinners.map((one) => once(one, 'message')))
  return shares.reduce((all, [share]) => all + share, 0)
}

/**
 * How long a commit waits for the disk: the median of synchronous commits less that of asynchronous
 * ones.
 */
async function flushTime(): Promise<number> {
  await pool.query('create table if not exists bench_flush (n int)')
  const times: Record<string, number[]> = { on: [], off: [] }
  for (let i = 0; i < 400; i += 1) {
    const mode = i % 2 ? 'on' : 'off'
    await pool.query(`set synchronous_commit = ${mode}`)
    const began = performance.now()
    await pool.query('insert into bench_flush values (1)')
    times[mode]?.push(performance.now() - began)
  }
  await pool.query('drop table bench_flush')
  return Math.max(0.05, middle(times.on ?? []) - middle(times.off ?? []))
}

type Kind = { way: Way; ask: (origin: string, i: number, lane: number) => Promise<unknown> }
type Kinds = Record<string, Kind>

async function makeKinds(): Promise<Kinds> {
  await insertParts(pool, makeParts(catalogue))
  await pool.query('vacuum analyze')
  const customers = await makeCustomers(pool, {
    folder: shop.dataDir,
    origin: shop.origin,
    count: 2_000,
  })
  const others = await makeCustomers(pool, {
    folder: shop.dataDir,
    origin: two.origin,
    count: 2_000,
  })
  const parts: string[] = []
  for (let i = 0; i < bookedParts; i += 1)
    parts.push((await stockPart(pool, { onHand: 1_000_000 }))._id)
  const person = await register(shop.origin)
  const booking = (partOf: (i: number) => string) => async (origin: string, i: number) => {
    const { token = '' } = (origin === shop.origin ? customers : others)[i % 2_000] ?? {}
    const body = JSON.stringify({ partId: partOf(i), quantity: 1, phone: '+1 555 0100' })
    const call = { token, key: randomUUID(), body }
    const { status, code } = await book(
      new URL('/api/order', origin),
      agent,
      call,
      performance.now(),
    )
    if (status !== 200) throw new Error(`a booking was answered ${status} ${code}`)
  }
  const words = (i: number) => encodeURIComponent(queries[i % queries.length]?.[0] ?? '')
  return {
    'home page, kept': { way: 'kept', ask: (origin) => get(new URL('/', origin)) },
    'list, rendered': {
      way: 'rendered',
      ask: (origin, i) => get(new URL(`/parts/graphics-card?price-min=${i % 500}`, origin)),
    },
    search: { way: 'read', ask: (origin, i) => get(new URL(`/api/search?q=${words(i)}`, origin)) },
    booking: { way: 'booking', ask: booking((i) => parts[i % bookedParts] ?? '') },
    'booking of one part': { way: 'booking', ask: booking(() => parts[0] ?? '') },
    login: {
      way: 'login',
      async ask(origin) {
        const body = JSON.stringify({ email: person.email, password: 'correct horse' })
        const headers = { 'content-type': 'application/json', origin }
        const answer = await fetch(`${origin}/identity/sign-in/email`, {
          method: 'POST',
          headers,
          body,
        })
        if (!answer.ok) throw new Error(`a login was answered ${answer.status}`)
        await answer.arrayBuffer()
      },
    },
  }
}

let requestCount = 0

/** Keeps all lanes busy with requests. @returns requests a second, and the work of each */
async function measure(kinds: Kind[], origin: string, pid: number | undefined, lanes: number) {
  const postgres = await postmasterOf(pool)
  const counts = [await countWork(pid ?? 0), await countWork(postgres)]
  const own = countOwnWork()
  const until = performance.now() + seconds * 1_000
  let size = 0
  const ms = await timed(lanes, lanes, async (_, lane) => {
    while (performance.now() < until) {
      size += 1
      requestCount += 1
      await kinds[requestCount % kinds.length]?.ask(origin, requestCount, lane)
    }
  })
  const sender = own() / size
  const [shopWork = 0, databaseWork = 0] = await Promise.all(counts.map((count) => count()))
  const demand: Demand = { sender, shop: shopWork / size, database: databaseWork / size }
  return { perSecond: (size * 1_000) / ms, demand }
}

/** The measured work of a request of each kind, one entry per measurement. */
const counts: Record<string, Demand[]> = {}

const demandOf = (counted: Demand[]): Demand => {
  const part = (of: keyof Demand) => middle(counted.map((demand) => demand[of]))
  return { sender: part('sender'), shop: part('shop'), database: part('database') }
}

type Shop = { origin: string; pid?: number | undefined }

/**
 * Measures the current work of a request of this kind: a process gets faster for minutes, and the
 * machine's speed may change, too.
 */
async function count(kinds: Kinds, name: string, { origin, pid }: Shop): Promise<Demand> {
  const { demand } = await measure([kinds[name] as Kind], origin, pid, counted)
  counts[name] = [...(counts[name] ?? []), demand]
  return demand
}

/** A load: the number of requests of each kind. */
type Mix = [kind: string, share: number][]
const allOf = (mix: Mix) => mix.reduce((all, [, share]) => all + share, 0)

type Point = Awaited<ReturnType<typeof point>>
type At = Omit<Load, 'traffic'> & { setup: Setup }

/**
 * Measures a load in rounds, and runs the model for each with the work and the available processors
 * of that time.
 */
async function point(kinds: Kinds, mix: Mix, { setup, lanes, parts }: At) {
  const of = setup.workers === 1 ? shop : two
  const asking = mix.flatMap(([name, share]) =>
    Array.from({ length: share }, () => kinds[name] as Kind),
  )
  await measure(asking, of.origin, of.pid, lanes)
  const pairs: { perSecond: number; predicted: number; processors: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const traffic: Traffic[] = []
    for (const [name, share] of mix) {
      const { way } = kinds[name] as Kind
      traffic.push({ way, share, demand: await count(kinds, name, of) })
    }
    const before = await processorsLeft()
    const { perSecond, demand } = await measure(asking, of.origin, of.pid, lanes)
    const processors = (before + (await processorsLeft())) / 2
    // with many lanes, the sender reads many responses at once
    const senderMs = traffic.reduce((ms, one) => ms + one.share * one.demand.sender, 0) / allOf(mix)
    for (const one of traffic) one.demand.sender *= demand.sender / senderMs
    const predicted = simulate({ ...setup, processors }, { traffic, lanes, parts }).perSecond
    pairs.push({ perSecond, predicted, processors })
  }
  const measured = middle(pairs.map((pair) => pair.perSecond))
  const share = middle(pairs.map((pair) => pair.predicted / pair.perSecond))
  return { measured, share, processors: middle(pairs.map((pair) => pair.processors)) }
}

/** The allowed error of the model. */
const allowed = 0.2
/** With a smaller share of the processors, other programs disturbed the measurement. */
const quiet = 0.9

/** Prints how good the model is. `share` is the prediction divided by the measurement. */
function verdict(loads: { what: string; share: number }[], left: number): void {
  const off = loads.filter(({ share }) => !(Math.abs(share - 1) <= allowed))
  const within = `${loads.length - off.length} of ${loads.length} loads within ${100 * allowed} percent`
  console.log(`\n${within}; of ${cores} processors ${left.toFixed(1)} were ours`)
  if (off.length > 0) console.log(`further off: ${off.map(({ what }) => what).join('; ')}`)
  if (left < quiet * cores) console.log('DISTURBED: other programs worked, believe none of it.')
  else console.log(off.length === 0 ? 'The model holds.' : 'The model does NOT hold: mend it.')
}

function row(cells: (string | number)[]): void {
  const [first = '', ...rest] = cells.map((cell) =>
    typeof cell === 'number' ? cell.toFixed(cell < 10 ? 2 : 0) : cell,
  )
  console.log(first.padEnd(46) + rest.map((cell) => cell.padStart(12)).join(''))
}

/**
 * The requests of a shop's visitors for three orders: pages, lists with filters, searches, a login,
 * and bookings.
 */
const visit: Mix = [
  ['home page, kept', 100],
  ['list, rendered', 20],
  ['search', 20],
  ['login', 1],
  ['booking', 3],
]

try {
  const kinds = await makeKinds()
  const setup: Setup = {
    processors: cores,
    workers: 1,
    connections: connectionsFor(1),
    tripMs: 0,
    flushMs: await flushTime(),
    isSenderHere: true,
  }
  console.log(`a commit waits ${setup.flushMs.toFixed(2)} ms for the disk\n`)

  row(['answers a second', 'lanes', 'measured', 'predicted', 'of it'])
  const loads: [string, number, (1 | 2)?][] = [
    ['home page, kept', 2],
    ['home page, kept', 32],
    ['list, rendered', 2],
    ['list, rendered', 16],
    ['search', 2],
    ['search', 32],
    ['booking', 2],
    ['booking', 4],
    ['booking', 16],
    ['booking', 32],
    ['booking of one part', 4],
    ['booking of one part', 16],
    ['login', 4],
    ['search', 8, 2],
    ['booking', 8, 2],
  ]
  const points: { what: string; share: number; processors: number }[] = []
  const printPoint = (what: string, lanes: number, { measured, share, processors }: Point) => {
    row([what, String(lanes), measured, measured * share, share])
    points.push({ what: `${what}, ${lanes} lanes`, share, processors })
  }
  for (const [name, lanes, workers = 1] of loads) {
    const at = { ...setup, workers, connections: connectionsFor(workers) }
    const parts = name === 'booking' ? bookedParts : 1
    const what = workers === 1 ? name : `${name}, two workers`
    printPoint(what, lanes, await point(kinds, [[name, 1]], { setup: at, lanes, parts }))
  }
  const of = { setup, lanes: 16, parts: bookedParts }
  printPoint('all that leads to orders', of.lanes, await point(kinds, visit, of))
  verdict(points, middle(points.map(({ processors }) => processors)))

  console.log()
  row(['ms of a processor', 'sender', 'shop', 'PostgreSQL'])
  for (const [name, all] of Object.entries(counts)) {
    const { sender, shop, database } = demandOf(all)
    row([name, sender, shop, database])
  }

  console.log()
  console.log('predicted for clients elsewhere: the rows of docs/scaling.md, and what is busiest')
  const trafficOf = (mix: Mix): Traffic[] =>
    mix.map(([name, share]) => {
      const { way } = kinds[name] as Kind
      return { way, share, demand: demandOf(counts[name] ?? []) }
    })
  const far = { processors: 128, databaseProcessors: 64, workers: 128, tripMs: 0.5 }
  const { flushMs } = setup
  const setups: [string, Partial<Setup>][] = [
    ['one process, 2 processors', { processors: 2 }],
    ['`WORKERS=2`, 2 processors', { processors: 2, workers: 2 }],
    ['`WORKERS=4`, 4 processors', { processors: 4, workers: 4 }],
    ['`WORKERS=16`, 16 processors', { processors: 16, workers: 16 }],
    [
      '4 machines of 8, a database of 16 processors',
      { ...far, processors: 32, databaseProcessors: 16, workers: 32 },
    ],
    ['16 machines of 8, a database of 64', far],
    ['the same, each commit confirmed by a standby (+ 5 ms)', { ...far, flushMs: flushMs + 5 }],
    ['a distributed PostgreSQL (2 ms away, commits of 20)', { ...far, tripMs: 2, flushMs: 20 }],
  ]
  const traffic = trafficOf(visit)
  const booked = trafficOf([['booking', 1]])
  for (const [name, more] of setups) {
    const at: Setup = { ...setup, isSenderHere: false, ...more }
    at.connections = connectionsFor(Math.min(8, at.workers))
    const all = simulate(at, { traffic, lanes: 12 * at.workers, parts: 1_000 })
    const alone = simulate(at, { traffic: booked, lanes: 8 * at.workers, parts: 1_000 })
    const one = simulate(at, { traffic: booked, lanes: 64, parts: 1 })
    const [[busiest, part] = ['', 0]] = Object.entries(all.busy).toSorted(([, x], [, y]) => y - x)
    const figures = [all.perSecond / allOf(visit), alone.perSecond, one.perSecond]
    const cells = [name, ...figures.map((n) => Number(n.toPrecision(2)).toLocaleString('en'))]
    console.log(`| ${cells.join(' | ')} | ${busiest}, ${Math.round(part * 100)} %`)
  }
} finally {
  agent.destroy()
  await shop.end('SIGTERM')
  await two.end('SIGTERM')
  await pool.end()
  await database.stop()
  await removeDataFolder(folder)
}
