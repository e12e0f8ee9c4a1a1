import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Pool } from 'pg'

/**
 * Requests a second with ten connections, after a warm-up. @throws Error when a response is not a
 * 2xx
 */
async function throughput(url: string, seconds = 4): Promise<number> {
  await autocannon({ url, connections: 10, duration: 1 })
  const { requests, non2xx } = await autocannon({ url, connections: 10, duration: seconds })
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} answers were no success`)
  return requests.average
}

/** The median: a busy machine disturbs one round, rarely most of them. */
export const middle = (figures: number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

/**
 * The throughput of `url` as a share of a bare server's, which sends the same bytes; both in
 * alternation.
 */
export async function shareOfBare(url: string): Promise<number> {
  const sample = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  const body = Buffer.from(await sample.arrayBuffer())
  const {
    date: _,
    connection: __,
    'keep-alive': ___,
    ...headers
  } = Object.fromEntries(sample.headers)
  const args = [join(import.meta.dirname, 'bare-server.ts'), JSON.stringify(headers)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
  const [port] = await once(child.stdout, 'data')
  const shares: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const bare = await throughput(`http://127.0.0.1:${String(port).trim()}/`)
    shares.push((await throughput(url)) / bare)
  }
  child.kill()
  return middle(shares)
}

/**
 * The throughput of `other` as a multiple of that of `url`: the same ten connections request both
 * in alternation.
 */
export async function timesAsMany(url: string, other: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const one = await throughput(url)
    times.push((await throughput(other)) / one)
  }
  return middle(times)
}

/** Milliseconds for `size` calls, `lanes` at a time. */
export async function timed(
  size: number,
  lanes: number,
  work: (i: number, lane: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const began = performance.now()
  const run = async (_: unknown, lane: number) => {
    while (next < size) await work(next++, lane)
  }
  await Promise.all(Array.from({ length: lanes }, run))
  return performance.now() - began
}

/**
 * The processor time of processes, from Linux: unlike elapsed time, it hardly depends on the
 * machine's other load.
 */

const read = (path: string) => readFile(path, 'utf8').catch(() => '')
const list = (path: string) => readdir(path).catch(() => [])

const parentOf = async (pid: number) =>
  Number(/\) \S (\d+)/.exec(await read(`/proc/${pid}/stat`))?.[1] ?? 0)

async function withChildren(parents: number[]): Promise<number[]> {
  const pids = (await list('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const all = await Promise.all(pids.map(parentOf))
  return [...parents, ...pids.filter((_, i) => parents.includes(all[i] ?? 0))]
}

/** The processor time of all threads of a process, in milliseconds. */
async function timeOf(pid: number): Promise<number> {
  const threads = await list(`/proc/${pid}/task`)
  const times = await Promise.all(threads.map((id) => read(`/proc/${pid}/task/${id}/schedstat`)))
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0] || 0) / 1e6, 0)
}

const timesOf = async (parents: number[]) =>
  new Map(
    await Promise.all(
      (await withChildren(parents)).map(async (pid) => [pid, await timeOf(pid)] as const),
    ),
  )

/**
 * Counts the processor time of these processes and their children from now on. @returns a function
 * that returns the milliseconds since then; 0 where the system does not report them
 */
export async function countWork(...pids: number[]): Promise<() => Promise<number>> {
  const before = await timesOf(pids)
  return async () => {
    // processes that have ended are missing; those started since count in full
    const after = [...(await timesOf(pids))]
    return after.reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
  }
}

/** The same for this process. */
export function countOwnWork(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

/** PostgreSQL's main process, the parent of its others. */
export async function postmasterOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return parentOf(rows[0]?.pid ?? 0)
}
