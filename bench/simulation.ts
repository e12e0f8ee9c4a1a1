/**
 * A queueing model of the shop as a discrete-event simulation: requests queue for processors, for
 * the single thread of each process, for connections, for a part's lock, for renderings, and for
 * the database's disk. Times are milliseconds.
 */
import { type Chances, chances } from './parts.ts'

/** Processor time of one request in each process that works on it. */
export type Demand = { sender: number; shop: number; database: number }

/** What a request waits for besides its own work: see `stepsOf`. */
export type Way = 'kept' | 'read' | 'rendered' | 'booking' | 'login'
export type Traffic = { way: Way; demand: Demand; share: number }

export type Setup = {
  processors: number
  /** Of the database's own machine; without it, all share one. */
  databaseProcessors?: number
  workers: number
  /** Of each worker. */
  connections: number
  /** The round trip between shop and database. */
  tripMs: number
  /** Until a commit is on disk. */
  flushMs: number
  /** Whether the sender of the requests uses the same processors, as in a bench. */
  isSenderHere: boolean
}

export type Load = {
  traffic: Traffic[]
  lanes: number /** Parts that are booked. */
  parts: number
}

/** Something to wait for: runs the callback when it is available. */
type Wait = (goOn: () => void) => void
type Steps = Generator<Wait, void, void>

type Processors = {
  work(ms: number): Wait
  /** When the next task ends. */
  next(): number
  finish(): void
  busy(): number
}

/** Simulated time, which jumps from one event to the next. */
function virtualTime() {
  const alarms: { at: number; ring: () => void }[] = []
  const groups: Processors[] = []
  let now = 0

  /** Processors shared equally by all jobs; no job uses more than one. */
  function processors(count: number): Processors {
    const running = new Set<{ left: number; goOn: () => void }>()
    let [since, used] = [0, 0]
    const rate = () => Math.min(1, count / running.size)
    const catchUp = () => {
      const workMs = (now - since) * rate()
      for (const task of running) task.left -= workMs
      used += workMs * running.size
      since = now
    }
    const work =
      (ms: number): Wait =>
      (goOn) => {
        catchUp()
        running.add({ left: ms, goOn })
      }
    const next = () =>
      running.size === 0
        ? Number.POSITIVE_INFINITY
        : since + Math.min(...[...running].map(({ left }) => left)) / rate()
    const finish = () => {
      catchUp()
      const ended = [...running].filter(({ left }) => left < 1e-9)
      for (const task of ended) running.delete(task)
      for (const { goOn } of ended) goOn()
    }
    const group = { work, next, finish, busy: () => used / (now * count) }
    groups.push(group)
    return group
  }

  const pause =
    (ms: number): Wait =>
    (goOn) => {
      const at = now + ms
      const later = alarms.findIndex((one) => one.at > at)
      alarms.splice(later < 0 ? alarms.length : later, 0, { at, ring: goOn })
    }

  function run(until: number) {
    while (now < until) {
      const [alarm] = alarms
      const [group] = groups.toSorted((a, b) => a.next() - b.next())
      const at = group?.next() ?? Number.POSITIVE_INFINITY
      if (alarm && alarm.at <= at) {
        now = alarm.at
        alarms.shift()
        alarm.ring()
      } else {
        now = at
        group?.finish()
      }
    }
  }
  return { processors, pause, run, now: () => now }
}
type Time = ReturnType<typeof virtualTime>

/** A resource for `most` users at a time; the others queue. */
function turns({ now }: Time, most: number) {
  const line: (() => void)[] = []
  let [inside, since, used] = [0, 0, 0]
  const count = (change: number) => {
    used += inside * (now() - since)
    since = now()
    inside += change
  }
  const take: Wait = (goOn) => {
    if (inside === most) line.push(goOn)
    else {
      count(1)
      goOn()
    }
  }
  const give = () => {
    const next = line.shift()
    if (next) next()
    else count(-1)
  }
  return { take, give, busy: () => (used + inside * (now() - since)) / (now() * most) }
}

/** A disk that writes for all waiting commits at once. */
function disk({ pause }: Time, ms: number): Wait {
  let waiting: (() => void)[] = []
  let isBusy = false
  const begin = () => {
    isBusy = waiting.length > 0
    if (!isBusy) return
    const served = waiting
    waiting = []
    pause(ms)(() => {
      begin()
      for (const goOn of served) goOn()
    })
  }
  return (goOn) => {
    waiting.push(goOn)
    if (!isBusy) begin()
  }
}

/**
 * Shares of a booking's work, from profiles: of the process before each of its waits, and of
 * PostgreSQL.
 */
const ofBooking = { shop: [0.3, 0.2, 0.25, 0.25], database: [0.1, 0.3, 0.6] } as const

/**
 * The same for a rendering: on the process's thread before and after its queries, and on other
 * threads (memory, compressing the page); in PostgreSQL, the share that runs in parallel with
 * another query.
 */
const ofRendering = {
  first: 0.15,
  second: 0.5,
  memory: 0.2,
  packing: 0.15,
  together: 0.25,
} as const

const runFor = 4_000
/** Until queues have reached their steady length. */
const warmUp = 500

/**
 * The shop with every resource that requests queue for. Plays the steps of one request, and reports
 * how busy each resource is.
 */
function shopOf(time: Time, setup: Setup, parts: number, by: Chances) {
  const here = time.processors(setup.processors)
  const there = setup.databaseProcessors ? time.processors(setup.databaseProcessors) : here
  const flush = disk(time, setup.flushMs)
  const locks = Array.from({ length: parts }, () => turns(time, 1))
  const sending = turns(time, 1)
  const workers = Array.from({ length: setup.workers }, () => ({
    thread: turns(time, 1),
    renderings: turns(time, 1),
    connections: turns(time, setup.connections),
  }))

  /** Work varies from one request to the next. */
  const vary = (ms: number) => ms * (0.5 + by.next())

  function* holding(line: typeof sending, ms: number): Steps {
    yield line.take
    yield here.work(vary(ms))
    line.give()
  }
  function* sender(ms: number): Steps {
    if (setup.isSenderHere) yield* holding(sending, ms)
  }
  function* ask(ms: number): Steps {
    if (setup.tripMs > 0) yield time.pause(setup.tripMs)
    yield there.work(vary(ms))
  }
  function* query({ connections }: (typeof workers)[number], ms: number): Steps {
    yield connections.take
    yield* ask(ms)
    connections.give()
  }

  const stepsOf: Record<Way, (worker: (typeof workers)[number], demand: Demand) => Steps> = {
    *kept({ thread }, { shop }) {
      yield* holding(thread, shop)
    },
    *read(worker, { shop, database }) {
      yield* holding(worker.thread, shop / 2)
      yield* query(worker, database)
      yield* holding(worker.thread, shop / 2)
    },
    // one at a time, with an equally long pause after it: see server/http/pages/rendering-line.ts
    *rendered(worker, { shop, database }) {
      const { first, second, memory, packing, together } = ofRendering
      yield worker.renderings.take
      const since = time.now()
      yield* holding(worker.thread, shop * first)
      // some of its queries run in parallel
      there.work(vary(database * together))(() => {})
      yield* query(worker, database * (1 - together))
      here.work(vary(shop * memory))(() => {})
      yield* holding(worker.thread, shop * second)
      const took = time.now() - since
      time.pause(took)(worker.renderings.give)
      yield here.work(vary(shop * packing))
    },
    *booking(worker, { shop, database }) {
      const [first, second, third, last] = ofBooking.shop
      const [caller, state, order] = ofBooking.database
      yield* holding(worker.thread, shop * first)
      yield* query(worker, database * caller)
      yield* holding(worker.thread, shop * second)
      yield worker.connections.take
      yield* ask(database * state)
      yield* holding(worker.thread, shop * third)
      const lock = locks[Math.floor(by.next() * parts)] ?? turns(time, 1)
      yield lock.take
      yield* ask(database * order)
      yield flush
      lock.give()
      worker.connections.give()
      yield* holding(worker.thread, shop * last)
    },
    // hashing a password uses a separate thread
    *login(worker, { shop, database }) {
      yield here.work(vary(shop))
      yield* query(worker, database)
    },
  }

  const most = (some: { busy(): number }[]) => Math.max(...some.map((one) => one.busy()))
  return {
    *request(lane: number, { way, demand }: Traffic): Steps {
      const worker = workers[lane % workers.length] as (typeof workers)[number]
      yield* sender(demand.sender / 2)
      yield* stepsOf[way](worker, demand)
      yield* sender(demand.sender / 2)
    },
    busy: () => ({
      processors: here.busy(),
      'processors of the database': there.busy(),
      'thread of a process': most(workers.map(({ thread }) => thread)),
      renderings: most(workers.map(({ renderings }) => renderings)),
      connections: most(workers.map(({ connections }) => connections)),
      'lock of a part': most(locks),
    }),
  }
}

/** @returns the responses a second, and the share of time for which each resource is busy */
export function simulate(setup: Setup, { traffic, lanes, parts }: Load) {
  const time = virtualTime()
  const by = chances(1)
  const shop = shopOf(time, setup, parts, by)
  const each = traffic.flatMap((one) => Array.from({ length: one.share }, () => one))
  let answered = 0
  function* lane(place: number): Steps {
    for (;;) {
      yield* shop.request(place, by.pick(each))
      answered += 1
    }
  }
  const play = (steps: Steps) => {
    const { value } = steps.next()
    if (value) value(() => play(steps))
  }
  for (let place = 0; place < lanes; place += 1) play(lane(place))
  time.run(warmUp)
  const [before, since] = [answered, time.now()]
  time.run(runFor)
  return {
    perSecond: ((answered - before) * 1000) / (time.now() - since),
    busy: shop.busy(),
  }
}
