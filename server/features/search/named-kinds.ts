/** The kinds that words name. */
import type { NamedKind } from './kind-filters.ts'
import {
  bothNumbers,
  type Lexicon,
  meaningsOf,
  parseTerms,
  squeezed,
  type Term,
} from './parse-query.ts'

/** The kinds that a word names: by their names, the last word of these, or the owner's words. */
export function kindsNamed<K extends NamedKind>(word: string, lexicon: Lexicon, known: K[]): K[] {
  const namesOf = ({ name, otherNames }: K) => [name, ...otherNames]
  const named = (texts: string[]) =>
    known.filter((kind) => namesOf(kind).some((name) => texts.includes(squeezed(name))))
  const forms = bothNumbers(word)
  const meanings = meaningsOf(word, lexicon)
  const explained = [
    ...known.filter(({ slug }) => meanings.includes(`@${slug}`)),
    ...named(meanings.map(squeezed)),
  ]
  const found = new Set([...named(forms), ...explained])
  if (found.size > 0) return known.filter((kind) => found.has(kind))
  return known.filter((kind) =>
    namesOf(kind).some((name) => forms.includes(squeezed(name.split(/\s+/).at(-1) ?? ''))),
  )
}

/** The terms of some words, without those that say nothing. */
export const termsOf = (tokens: string[], lexicon: Lexicon): Term[] =>
  parseTerms(tokens, lexicon).filter(
    ({ word }) => lexicon.means.get(word)?.length !== 0 || /\d/.test(word),
  )
