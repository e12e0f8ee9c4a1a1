import { readdir, readFile } from 'node:fs/promises'

const read = (path: string) => readFile(path, 'utf8').catch(() => '')

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    pids.map(async (pid) => Number(/\) \S (\d+)/.exec(await read(`/proc/${pid}/stat`))?.[1])),
  )
  return pids.filter((_, i) => parents[i] === parent).map(Number)
}

const timeOf = async (pids: number[]) => {
  const times = await Promise.all(pids.map((pid) => read(`/proc/${pid}/schedstat`)))
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0] || 0) / 1e6, 0)
}

/** Milliseconds on a processor of the first thread of this very process; 0 where Linux does not tell them. */
export const ownTime = () => timeOf([process.pid])

/** The same of these processes and their children together. */
export const processorTime = async (pids: number[]): Promise<number> =>
  timeOf([...pids, ...(await Promise.all(pids.map(childrenOf))).flat()])
