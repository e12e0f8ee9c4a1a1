const remembered = 600_000

/**
 * Makes each event count once. Ids are remembered until nothing was handled for 10 minutes; then all are forgotten together.
 * @param now the time in ms
 * @returns whether this id is new; asking marks it as handled
 */
export function handledEvents(now: () => number): (id: string) => boolean {
  const ids = new Set<string>()
  let last = now()
  return (id) => {
    if (now() - last >= remembered) ids.clear()
    if (ids.has(id)) return false
    ids.add(id)
    last = now()
    return true
  }
}
