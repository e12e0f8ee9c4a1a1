/** What a query was taken to mean: lists of kinds with filters and a sort. */
import type { ListQuery, Meant } from '#contracts/part-lists.ts'
import type { Term } from './parse-query.ts'

/** A list that a query may mean, and that in a sentence. */
export type Choice = Meant['others'][number] & { says: string }

export type Reading = {
  /** The lists that it may mean, the likeliest first. */
  choices: Choice[]
  /** Whether it names no kind: 'fits vitrine atx'. Then every kind is only offered. */
  isOpen: boolean
  /** The words that are left to search for: 'quiet'. */
  words: string
  /** The words by which the list is ranked, though filters stand for some of them. */
  ranked?: Term[]
}

/** The most other lists that are offered. */
const maxOthers = 8

/** Sets the filters that a query means; those of the visitor stay. */
export function asMeant(query: ListQuery, { choices, isOpen, words, ranked }: Reading): ListQuery {
  const [first] = choices
  if (isOpen || !first) return query
  const searched: ListQuery = Object.assign({}, query, { q: words || undefined })
  if (ranked) searched.sort ??= 'best'
  // in the address of a kind's list they are set already
  if (query.as === 'fits' && query.kind !== undefined) return searched
  const { fits, only, ...fields } = first.filters
  const added = Object.entries(fields).filter(([name]) => query[name] === undefined)
  const build = fits && only ? { fits: fits[0], only: 'fits' as const } : {}
  const sort = query.sort ?? first.sort ?? searched.sort
  return Object.assign(searched, Object.fromEntries(added), build, { kind: first.kind, sort })
}

/**
 * What a query was taken to mean.
 * @param kind the slug of the list that it became
 * @param fitting the names of the parts that the list is judged with
 */
export function meantBy(
  reading: Reading,
  { kind, fits }: { kind: string | undefined; fits: string | undefined },
  fitting: string[],
): Meant {
  const { choices, isOpen } = reading
  const isList = (choice: Choice) =>
    choice.kind === kind && (choice.filters.fits === undefined || choice.filters.fits[0] === fits)
  const chosen = isOpen ? undefined : (choices.find(isList) ?? choices[0])
  const names = fitting.join(' and ')
  return {
    kind: chosen?.kind ?? null,
    filters: chosen?.filters ?? {},
    ...(chosen?.sort !== undefined && { sort: chosen.sort }),
    text:
      chosen?.filters.fits && names ? `What fits ${names}.` : ((chosen ?? choices[0])?.says ?? ''),
    others: choices
      .filter((choice) => choice !== chosen)
      .slice(0, maxOthers)
      .map(({ says: _, ...other }) => other),
  }
}
