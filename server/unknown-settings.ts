import { parseEnv } from 'node:util'

/** Names that belong to Node, npm and other programs around the shop. */
const isForeign = (name: string) => /^(NODE_|UV_|SSL_CERT_|MALLOC_|LC_|TZ$|LANG$)/.test(name)

/** The edit distance of two words: letters to add, drop, change or swap with a neighbour. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, i) => i)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same)
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) row[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1)
    }
  }
  return at(from.length, to.length)
}

/** A sentence for each name in a `.env` file that is no setting, with the setting it resembles. */
export function unknownSettings(text: string, known: readonly string[]): string[] {
  const names = Object.keys(parseEnv(text)).filter(
    (name) => !known.includes(name) && !isForeign(name),
  )
  return names.map((name) => {
    const byDistance = known
      .map((each) => ({ each, far: distance(name.toUpperCase(), each) }))
      .toSorted((a, b) => a.far - b.far)
    const [nearest] = byDistance.filter(({ far }) => far <= 1 + name.length / 4)
    const hint = nearest ? `: did you mean ${nearest.each}?` : ' (docs/operations.md lists all).'
    return `${name} in .env is no setting of the shop${hint}`
  })
}
