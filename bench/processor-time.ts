import { readdir, readFile } from 'node:fs/promises'

const read = (path: string) => readFile(path, 'utf8').catch(() => '')

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    pids.map(async (pid) => Number(/\) \S (\d+)/.exec(await read(`/proc/${pid}/stat`))?.[1])),
  )
  return pids.filter((_, i) => parents[i] === parent).map(Number)
}

/** Milliseconds on a processor of the first threads of these processes and their children; 0 where Linux does not tell them. */
export async function processorTime(pids: number[]): Promise<number> {
  const all = [...pids, ...(await Promise.all(pids.map(childrenOf))).flat()]
  const times = await Promise.all(all.map((pid) => read(`/proc/${pid}/schedstat`)))
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0] || 0) / 1e6, 0)
}
