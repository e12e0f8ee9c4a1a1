/** What processes work, as Linux tells it: unlike the time that passes, it hardly depends on what else the machine does. */
import { readdir, readFile } from 'node:fs/promises'
import type { Pool } from 'pg'

const read = (path: string) => readFile(path, 'utf8').catch(() => '')
const list = (path: string) => readdir(path).catch(() => [])

const parentOf = async (pid: number) =>
  Number(/\) \S (\d+)/.exec(await read(`/proc/${pid}/stat`))?.[1] ?? 0)

async function withChildren(parents: number[]): Promise<number[]> {
  const pids = (await list('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const all = await Promise.all(pids.map(parentOf))
  return [...parents, ...pids.filter((_, i) => parents.includes(all[i] ?? 0))]
}

/** Milliseconds on a processor of all threads of a process. */
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

/** Counts what these processes and their children work from now on. @returns milliseconds since; 0 where nobody tells them */
export async function countWork(...pids: number[]): Promise<() => Promise<number>> {
  const before = await timesOf(pids)
  return async () => {
    // of a process that has ended nothing is known; one that began since counts whole
    const after = [...(await timesOf(pids))]
    return after.reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
  }
}

/** The same of this very process. */
export function countOwnWork(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

/** The process of PostgreSQL that makes the others. */
export async function postmasterOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return parentOf(rows[0]?.pid ?? 0)
}
