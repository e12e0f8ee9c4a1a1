/** Whose turn it is: that of the network whose last turn is longest ago. */

/** A client's networks, narrowest first, as from `networksOf`. */
export type Networks = readonly string[]

/** How many networks to remember the last turn of. */
const maxNetworks = 10_000

/** Records when each network had its last turn. */
export function networkTurns() {
  const lastTurns = new Map<string, number>()
  let turn = 0
  const lastOf = (network: string | undefined) => lastTurns.get(network ?? '') ?? 0
  return {
    /**
     * Negative when `a` comes before `b`. Compares from the widest network to the narrowest, so
     * that a home with many networks has one turn.
     */
    compare(a: Networks, b: Networks): number {
      for (let i = 1; i <= Math.max(a.length, b.length); i += 1) {
        const difference = lastOf(a.at(-i)) - lastOf(b.at(-i))
        if (difference !== 0) return difference
      }
      return 0
    },
    take(networks: Networks): void {
      turn += 1
      for (const network of networks) {
        lastTurns.delete(network)
        lastTurns.set(network, turn)
      }
      for (const oldest of lastTurns.keys()) {
        if (lastTurns.size <= maxNetworks) break
        lastTurns.delete(oldest)
      }
    },
  }
}
