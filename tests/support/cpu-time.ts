import { setImmediate } from 'node:timers/promises'

/** Milliseconds of a core that this process takes for this. The clock would count what the machine does for others. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * The longest time, in milliseconds of a core, for which this process does not return to its event loop meanwhile: no other
 * request is answered for so long. By the clock, the machine's other work would count.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    while (!isOver) longest = Math.max(longest, await cpuTime(() => setImmediate()))
  })()
  try {
    await work()
  } finally {
    isOver = true
  }
  await watching
  return longest
}
