/**
 * Splits a query about what goes together: 'quiet psu for 9800x3d and rtx 5080' asks for a 'quiet
 * psu', and names '9800x3d' and 'rtx 5080'. Does not query the database.
 */
import { searchLimits } from '#contracts/lists.ts'
import { tokenize } from './parse-query.ts'

export type FitWords = {
  /** What is asked for; empty in 'fits vitrine atx'. */
  asked: string[]
  /** What it should fit, each the name of a part or a fact. */
  targets: string[][]
}

const connectors = new Set(['for', 'fit', 'fits', 'fitting', 'fur', 'pour', 'para'])
/** Words that connect together with the next one: 'compatible with', 'works on'. */
const pairs = new Map([
  ['compatible', new Set(['with', 'to'])],
  ...['work', 'works', 'working', 'run', 'runs', 'go', 'goes'].map(
    (word) => [word, new Set(['with', 'in', 'on'])] as const,
  ),
])
/** Words before a connector that belong to it: 'that fits', 'suitable for'. */
const leading = new Set([
  ...['that', 'which', 'what', 'to', 'will', 'would', 'can', 'could', 'should', 'does', 'do', 'i'],
  ...['suitable', 'made', 'meant', 'compatible', 'need', 'buy', 'get', 'is', 'are', 'best'],
])
const separators = new Set(['and', 'plus', 'with'])
/** More names than this are no search. */
const maxTargets = 4

/** Returns undefined for a query that does not say what it goes with. */
export function fitWordsOf(query: string): FitWords | undefined {
  const text = query.slice(0, searchLimits.characters).replaceAll(/[+&]|,(?=\s)/g, ' and ')
  const tokens = tokenize(text)
  const isPair = (at: number) => pairs.get(tokens[at] ?? '')?.has(tokens[at + 1] ?? '') ?? false
  const isConnector = (at: number) => connectors.has(tokens[at] ?? '') || isPair(at)
  const at = tokens.findIndex((_, i) => isConnector(i))
  if (at < 0) return undefined
  const after = at + (isPair(at) ? 2 : 1)
  // 'for for for' and 'case for fan for psu' say nothing clear
  if (tokens.some((_, i) => i >= after && isConnector(i))) return undefined
  const asked = tokens.slice(0, at)
  while (leading.has(asked.at(-1) ?? '')) asked.pop()
  const targets: string[][] = [[]]
  for (const token of tokens.slice(after)) {
    if (separators.has(token)) targets.push([])
    else targets.at(-1)?.push(token)
  }
  const named = targets.filter((target) => target.length > 0)
  return named.length > 0 && named.length <= maxTargets ? { asked, targets: named } : undefined
}
