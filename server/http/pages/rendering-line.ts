/** The queue of renderings: one at a time, in turns of networks. */
import { busyForAMoment } from '#server/http/limits/load-shedding.ts'
import { type Networks, networkTurns } from '#server/http/limits/network-turns.ts'

/** A queued rendering. */
export type Rendering = {
  /** Identifies the page: clients that want the same page join its rendering. */
  key: string
  /**
   * Whether the page depends on the path alone. There are only as many such pages as parts and
   * kinds; the number of queries is unlimited.
   */
  isListed: boolean
}
type Job = Rendering & { askers: Networks[]; begin(): void; refuse(error: Error): void }

/**
 * The maximum number of waiting renderings, in total and for one network; a /56 may have twice as
 * many, a /48 four times.
 */
const maxWaiting = { all: 256, ofNetwork: 32 }
/** How many listed pages in a row go before a query. */
const maxListedInARow = 3
/** How many waiting clients of a rendering count for its place in the queue. */
const maxAskers = 16
/** The waiting renderings, and how many of them each network waits for. */
function waitingJobs() {
  const jobs = new Set<Job>()
  const counts = new Map<string, number>()
  const count = (networks: Networks, change: 1 | -1) => {
    for (const network of networks) {
      const now = (counts.get(network) ?? 0) + change
      if (now > 0) counts.set(network, now)
      else counts.delete(network)
    }
  }
  /**
   * The total number of renderings that a client's widest network waits for; of several clients,
   * the lowest number.
   */
  const loadOf = ({ askers }: Job) =>
    askers.reduce((least, one) => Math.min(least, counts.get(one.at(-1) ?? '') ?? 0), Infinity)
  return {
    jobs,
    loadOf,
    add(job: Job): void {
      jobs.add(job)
      for (const networks of job.askers) count(networks, 1)
    },
    remove(job: Job): void {
      if (!jobs.delete(job)) return
      for (const networks of job.askers) count(networks, -1)
    },
    join(job: Job, networks: Networks): void {
      if (job.askers.length >= maxAskers || job.askers.some(([one]) => one === networks[0])) return
      job.askers.push(networks)
      count(networks, 1)
    },
    /** The renderings of the clients that wait for most. */
    ofThoseWithMost(among: Job[]): Job[] {
      const most = among.reduce((so, job) => Math.max(so, loadOf(job)), 0)
      return among.filter((job) => loadOf(job) === most)
    },
    /**
     * The renderings of the first of these networks that waits for too many, or all while too many
     * wait.
     */
    tooMany(networks: Networks): Job[] {
      const full = networks.find((one, i) => (counts.get(one) ?? 0) > maxWaiting.ofNetwork * 2 ** i)
      if (full) return [...jobs].filter(({ askers }) => askers.some((each) => each.includes(full)))
      return jobs.size > maxWaiting.all ? [...jobs] : []
    },
  }
}

/**
 * Runs one rendering at a time. A rendering blocks the event loop, so afterwards the process serves
 * other requests for as long as the rendering took. Listed pages go before queries. Within each
 * group, turns alternate between the network that waits for least and the one whose last turn is
 * longest ago: a visitor does not wait for heavy clients, and heavy clients still get their turn.
 * While too many wait, a rendering of the network that waits for most is refused, so that new
 * clients find room.
 * @param onRefused called for each rendering that is refused
 */
export function renderingLine(onRefused: () => void) {
  const waiting = waitingJobs()
  const turns = networkTurns()
  /** Of the clients that wait for the rendering, the one whose last turn is longest ago. */
  const first = ({ askers }: Job) =>
    askers.reduce((best, one) => (turns.compare(one, best) < 0 ? one : best))
  const compare = (a: Job, b: Job) => turns.compare(first(a), first(b))
  let isBusy = false
  let listedInARow = 0
  const leastGoesFirst = { listed: false, queries: false }

  function refuse(job: Job): void {
    waiting.remove(job)
    onRefused()
    job.refuse(busyForAMoment())
  }

  function add(job: Job, networks: Networks): void {
    waiting.add(job)
    const candidates = waiting.ofThoseWithMost(waiting.tooMany(networks))
    const queries = candidates.filter(({ isListed }) => !isListed)
    const [one, ...others] = queries.length > 0 ? queries : candidates
    // the one with the most recent turn; of equals, the newest
    if (one) refuse(others.reduce((worst, each) => (compare(each, worst) >= 0 ? each : worst), one))
  }

  function begin(job: Job): void {
    isBusy = true
    waiting.remove(job)
    turns.take(job.askers.flat())
    job.begin()
  }

  function next(): void {
    isBusy = false
    const all = [...waiting.jobs]
    const listed = all.filter(({ isListed }) => isListed)
    const queries = all.filter(({ isListed }) => !isListed)
    const isListedNext =
      queries.length === 0 || (listed.length > 0 && listedInARow < maxListedInARow)
    listedInARow = isListedNext ? listedInARow + 1 : 0
    const [oldest, ...others] = isListedNext ? listed : queries
    const type = isListedNext ? 'listed' : 'queries'
    leastGoesFirst[type] = !leastGoesFirst[type]
    const order = (one: Job, best: Job) =>
      (leastGoesFirst[type] && waiting.loadOf(one) - waiting.loadOf(best)) || compare(one, best)
    if (oldest) begin(others.reduce((best, one) => (order(one, best) < 0 ? one : best), oldest))
  }

  return {
    /** @throws AppError UNAVAILABLE when it is refused */
    async render<T>(rendering: Rendering, networks: Networks, work: () => Promise<T>): Promise<T> {
      await new Promise<void>((resolve, reject) => {
        const job = { ...rendering, askers: [networks], begin: resolve, refuse: reject }
        if (isBusy) add(job, networks)
        else begin(job)
      })
      const since = performance.now()
      try {
        return await work()
      } finally {
        // due timers run in a row; new I/O is handled only after them
        setTimeout(() => setImmediate(next), performance.now() - since)
      }
    },
    /** Adds another client to a waiting rendering, which gets the better place of the two. */
    join(key: string, networks: Networks): void {
      for (const job of waiting.jobs) if (job.key === key) waiting.join(job, networks)
    },
  }
}
