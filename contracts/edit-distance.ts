/**
 * The edit distance of two words: the number of letters to change, insert, remove or swap with a
 * neighbour (optimal string alignment, the restricted Damerau-Levenshtein distance). The time is
 * proportional to the product of both lengths, so limit the length of user input first.
 */
export function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (last[j - 1] ?? 0) + Number(one[i - 1] !== other[j - 1])
      const best = Math.min(changed, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = isSwap ? Math.min(best, (before[j - 2] ?? 0) + 1) : best
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}
