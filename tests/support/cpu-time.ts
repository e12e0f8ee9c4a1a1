import { setTimeout as pause } from 'node:timers/promises'

/**
 * The processor time that this process uses for the work, in milliseconds of a core. The clock
 * would include the machine's other work.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The same for this thread alone, without the threads that collect garbage beside it. */
async function threadTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Looking at each turn of the event loop would keep a core busy that the work may need. */
const lookMs = 10

/**
 * The longest time for which this process does not return to its event loop, in milliseconds of a
 * core: no other request is served during it. The clock would include the machine's other work. The
 * result is never less than that time, and at most `lookMs` more: short tasks between two looks
 * count together.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    while (!isOver) longest = Math.max(longest, await threadTime(() => pause(lookMs)))
  })()
  try {
    await work()
  } finally {
    isOver = true
  }
  await watching
  return longest
}
