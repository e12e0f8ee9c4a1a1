/** Items after which other requests get a turn. */
const atOnce = 100

/** Maps many items without blocking the event loop. */
export async function inTurns<T, R>(all: T[], map: (one: T, index: number) => R): Promise<R[]> {
  const mapped: R[] = []
  for (const [i, one] of all.entries()) {
    if (i % atOnce === 0) await new Promise(setImmediate)
    mapped.push(map(one, i))
  }
  return mapped
}
