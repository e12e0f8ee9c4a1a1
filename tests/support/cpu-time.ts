/** Milliseconds of a core that this process takes for this. The clock would count what the machine does for others. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
