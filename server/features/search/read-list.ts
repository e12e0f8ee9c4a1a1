/**
 * Reads everyday words as the list of a kind with filters and a sort: 'mini itx case' is the list of
 * cases for Mini-ITX, 'biggest ssd' that of SSDs by capacity, and 'cpu and motherboard' two lists.
 * Anything else stays a search for words.
 */
import { sql } from 'drizzle-orm'
import { isListSort, type ListSort, sortField } from '#contracts/list-address.ts'
import { searchLimits } from '#contracts/lists.ts'
import type { ListQuery } from '#contracts/part-lists.ts'
import { capital, plural } from '#contracts/plural.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { partIndex } from '#server/database/schema/parts.ts'
import { fitWordsOf } from './fit-words.ts'
import {
  type KindFilters,
  kindFilters,
  kindsOnSale,
  type NamedKind,
  type Spelled,
} from './kind-filters.ts'
import { kindsNamed, termsOf } from './named-kinds.ts'
import {
  bothNumbers,
  type Lexicon,
  meaningsOf,
  negations,
  signsOf,
  squeezed,
  type Term,
  tokenize,
} from './parse-query.ts'
import type { Choice, Reading } from './reading.ts'

type Deps = { db: Database; catalogue: CatalogueCache }

/** The most neighbours that are one value: 'fully modular', 'lga 1151 v2'. */
const maxJoined = 4
const connectives = new Set(['and', 'or', 'plus'])

/** What is asked for of a kind, or of kinds with the same name: 'cooler'. */
type Group = { kinds: NamedKind[]; kindTerm: Term | undefined; terms: Term[] }

function groupOf(tokens: string[], lexicon: Lexicon, known: NamedKind[]): Group {
  const terms = termsOf(tokens, lexicon)
  // the last one: a 'case fan' is a fan
  const kindTerm = terms.findLast(
    ({ isKind, isNegated, isContext }) => isKind && !isNegated && !isContext,
  )
  return { terms, kindTerm, kinds: kindTerm ? kindsNamed(kindTerm.word, lexicon, known) : [] }
}

/**
 * Splits a query where it says 'and' or 'or' between kinds. What names no kind belongs to the one
 * after it: 'black or white case'.
 */
function groupsOf(query: string, lexicon: Lexicon, known: NamedKind[]): Group[] {
  const text = query.slice(0, searchLimits.characters).replaceAll(/[+&]|[,;](?=\s)/g, ' and ')
  const pieces: string[][] = [[]]
  for (const token of tokenize(text)) {
    if (connectives.has(token)) pieces.push([])
    else pieces.at(-1)?.push(token)
  }
  const groups: { tokens: string[]; kinds: NamedKind[] }[] = []
  let waiting: string[] = []
  for (const piece of pieces) {
    const { kinds } = groupOf(piece, lexicon, known)
    const last = groups.at(-1)
    if (kinds.length === 0) {
      waiting.push(...piece)
    } else if (last?.kinds.some((kind) => kinds.includes(kind))) {
      last.tokens.push(...waiting, ...piece)
      waiting = []
    } else {
      groups.push({ tokens: [...waiting, ...piece], kinds })
      waiting = []
    }
  }
  const last = groups.at(-1)
  if (!last) return [groupOf(waiting, lexicon, known)]
  last.tokens.push(...waiting)
  return groups.map(({ tokens }) => groupOf(tokens, lexicon, known))
}

/** Words as a filter: its values, and whether these are what the part should not have. */
type Hit = { key: string; values: string[] }

/** A number alone says a value only as it is written: '25' is not 2.5 inches. */
const isSpelled = (word: string, { spelling, key }: Spelled, { filters }: KindFilters) =>
  !/^\d+$/.test(word) || (spelling === word && filters.get(key)?.isSearched === true)

/** The values of one filter that a word says, by itself or by all that it means. */
function valuesOf(word: string, known: KindFilters, lexicon: Lexicon): Hit | undefined {
  const { byText, stated } = known
  const own = bothNumbers(word)
    .flatMap((form) => byText.get(form) ?? [])
    .filter((each) => isSpelled(word, each, known))
  const meant = meaningsOf(word, lexicon).map((meaning) => byText.get(squeezed(meaning)) ?? [])
  const isAll = meant.length > 0 && meant.every((each) => each.length > 0)
  const keys = own.length > 0 ? own.map(({ key }) => key) : isAll ? known.filters.keys() : []
  for (const key of new Set(keys)) {
    const ofKey = meant.map((each) => each.find((value) => value.key === key))
    if (own.length === 0 && ofKey.some((value) => !value)) continue
    const values = [...own.filter((each) => each.key === key), ...ofKey].flatMap(
      (each) => each?.value ?? [],
    )
    const onSale = [...new Set(values)].filter((value) => stated.has(`${key}=${value}`))
    if (onSale.length > 0) return { key, values: onSale }
  }
  return undefined
}

/** The names of a field of yes and no: 'Graphics on board' is 'graphics' too. */
const namesOf = (label: string) =>
  [label, label.split(/\s(?:on|in|at|with)\s/)[0] ?? ''].map(squeezed)

/** The field of yes and no that a word names: 'curved' by 'curve', 'lights' by 'rgb'. */
function flagOf(word: string, { filters }: KindFilters, lexicon: Lexicon): string | undefined {
  const own = [...bothNumbers(word), `${word}d`, `${word}ed`]
  const meant = meaningsOf(word, lexicon).map(squeezed)
  for (const { key, label, type } of filters.values()) {
    if (type !== 'yes') continue
    const names = namesOf(label)
    if (names.some((name) => own.includes(name))) return key
    if (meant.length > 0 && meant.every((each) => names.includes(each))) return key
  }
  return undefined
}

/** What the part should not have, as the other values that parts state. */
function othersOf({ key, values }: Hit, { filters, stated }: KindFilters): Hit | undefined {
  // a part may have one of several values beside the others
  if (filters.get(key)?.type !== 'one') return undefined
  const others = [...stated]
    .filter((facet) => facet.startsWith(`${key}=`))
    .map((facet) => facet.slice(key.length + 1))
    .filter((value) => !values.includes(value))
  return others.length > 0 ? { key, values: others } : undefined
}

function hitOf(word: string, isNegated: boolean, known: KindFilters, lexicon: Lexicon) {
  const flag = flagOf(word, known, lexicon)
  if (flag !== undefined) {
    const value = isNegated ? 'no' : 'yes'
    return known.stated.has(`${flag}=${value}`) ? { key: flag, values: [value] } : undefined
  }
  const hit = valuesOf(word, known, lexicon)
  return hit && isNegated ? othersOf(hit, known) : hit
}

/** The sort of a list that a word says, if the kind has its field: '-capacity_gb' of 'biggest'. */
const sortOf = (word: string, { filters }: KindFilters, lexicon: Lexicon) =>
  signsOf(word, lexicon)
    .flatMap((sign) => (sign.startsWith('sort=') ? [sign.slice('sort='.length)] : []))
    .find((sort) => isListSort(sort) || filters.get(sortField(sort) ?? '')?.type === 'number')

const sortsBy: Record<ListSort, string> = {
  ...{ best: 'the best match', sold: 'what sells best', rating: 'what is rated best' },
  ...{ price: 'Price: low to high', '-price': 'Price: high to low', newest: 'what is newest' },
}

/** As in the menu of sorts. */
function sortText(sort: string, { filters }: KindFilters): string {
  if (isListSort(sort)) return sortsBy[sort]
  const label = filters.get(sortField(sort) ?? '')?.label
  return `${label}: ${sort.startsWith('-') ? 'high to low' : 'low to high'}`
}

/** Words as filters and a sort of a kind, and those that are left. */
type Read = {
  kind: NamedKind
  filters: Record<string, string[]>
  sort: string | undefined
  said: string[]
  left: Term[]
}

const spoken = (value: string, type: string | undefined) =>
  type === 'yes' ? capital(value) : value

function readTerms(
  { terms, kindTerm }: Group,
  kind: NamedKind,
  known: KindFilters,
  lexicon: Lexicon,
): Read {
  const read: Read = { kind, filters: {}, sort: undefined, said: [], left: [] }
  const plain = (term: Term | undefined) => term?.word.replaceAll('.', '') ?? ''
  const setFilter = ({ key, values }: Hit, text: string) => {
    read.filters[key] = [...new Set([...(read.filters[key] ?? []), ...values])]
    const filter = known.filters.get(key)
    const said = values.map((value) => spoken(value, filter?.type)).join(' or ')
    read.said.push(`“${text}” means ${filter?.label}: ${said}`)
  }
  /** The kind's own words that are values: 'ssd' of storage drives. */
  const ofKind: [Hit, string][] = []
  for (let at = 0; at < terms.length; ) {
    const term = terms[at] as Term
    const sort = term.isNegated || read.sort ? undefined : sortOf(term.word, known, lexicon)
    if (sort !== undefined) {
      read.sort = sort
      read.said.push(`“${term.text}” sorts by ${sortText(sort, known)}`)
      at += 1
      continue
    }
    if (term.isKind && !term.isNegated && kindsNamed(term.word, lexicon, [kind]).length > 0) {
      const hit = valuesOf(plain(term), known, lexicon)
      if (hit) ofKind.push([hit, term.text])
      if (!hit && term !== kindTerm) read.left.push(term)
      at += 1
      continue
    }
    const lengths = Array.from({ length: maxJoined }, (_, less) => maxJoined - less)
    const found = lengths.flatMap((length) => {
      const run = terms.slice(at, at + length)
      const isOther = run.some((each, i) => i > 0 && (each.isNegated || each === kindTerm))
      if (run.length < length || isOther) return []
      const hit = hitOf(run.map(plain).join(''), term.isNegated, known, lexicon)
      return hit ? [{ hit, length }] : []
    })[0]
    if (!found) {
      read.left.push(term)
      at += 1
      continue
    }
    const { hit, length } = found
    const text = terms
      .slice(at, at + length)
      .map((each) => each.text)
      .join(' ')
    setFilter(hit, term.isNegated ? `without ${text}` : text)
    at += length
    // 'linear switches' and 'am5 socket' name the filter too
    const label = squeezed(known.filters.get(hit.key)?.label ?? '')
    const next = terms[at]
    if (next && next !== kindTerm && !next.isNegated && bothNumbers(plain(next)).includes(label))
      at += 1
  }
  if (read.said.length > 0 || ofKind.length > 1) for (const each of ofKind) setFilter(...each)
  return read
}

/** Which of these have a part on sale. */
async function haveParts(db: Database, reads: Read[]): Promise<boolean[]> {
  const filtered = reads.map(({ kind, filters }) => {
    const passes = Object.entries(filters).map(
      ([key, values]) =>
        sql` and i.facets && ${sql.param(values.map((value) => `${key}=${value}`))}::text[]`,
    )
    return sql`exists (select from ${partIndex} i where i.is_on_sale and i.kind = ${kind.slug}${sql.join(passes)})`
  })
  const { rows } = await db.execute<{ has: boolean[] }>(
    sql`select array[${sql.join(filtered, sql`, `)}] as has`,
  )
  return rows[0]?.has ?? []
}

const listText = ({ name }: NamedKind) => capital(plural(name))
const sizeOf = ({ filters, sort }: Read) => Object.keys(filters).length + Number(sort !== undefined)

/** The kinds of a group with what the words say of each, the one that they say most of first. */
async function readGroup(deps: Deps, group: Group, lexicon: Lexicon): Promise<Read[]> {
  const reads: Read[] = []
  for (const kind of group.kinds)
    reads.push(readTerms(group, kind, await kindFilters(deps, kind.slug), lexicon))
  const most = Math.max(...reads.map(sizeOf))
  return reads.filter((read) => sizeOf(read) === most)
}

const choiceOf = ({ kind, filters, sort, said }: Read, says: string): Choice => ({
  ...{ text: listText(kind), kind: kind.slug, filters, ...(sort !== undefined && { sort }) },
  says: `${[...(says ? [says] : []), ...said].join('; ')}.`,
})

/** Lists of kinds without what the words exclude, for words that name no kind: 'without rgb'. */
async function withoutKind(deps: Deps, query: string, lexicon: Lexicon, known: NamedKind[]) {
  const [first = '', ...tokens] = tokenize(query)
  if (!negations.has(first) || tokens.length === 0) return undefined
  const terms = termsOf(tokens, lexicon).map((term) => ({ ...term, isNegated: true }))
  const reads = await readGroup(deps, { terms, kindTerm: undefined, kinds: known }, lexicon)
  const whole = reads.filter((read) => read.left.length === 0 && read.said.length > 0)
  return whole.length > 0
    ? { choices: whole.map((read) => choiceOf(read, '')), isOpen: true, words: '' }
    : undefined
}

/**
 * Reads a query. Costs nothing besides what is cached for one that says no more than words, and a
 * short statement for any other.
 * @param lexicon what its words mean
 */
export async function readList(
  deps: Deps,
  query: ListQuery,
  lexicon: Lexicon,
): Promise<Reading | undefined> {
  const known = await kindsOnSale(deps)
  const inList = known.find(({ slug, name }) => query.kind === slug || query.kind === name)
  if (query.kind !== undefined && !inList) return undefined
  const groups = groupsOf(query.q ?? '', lexicon, known)
  const [only] = groups
  if (only && groups.length === 1 && only.kinds.length === 0) {
    if (!inList) return only.kindTerm ? undefined : withoutKind(deps, query.q ?? '', lexicon, known)
    if (only.kindTerm) return undefined
    only.kinds = [inList]
  }
  const read = (await Promise.all(groups.map((group) => readGroup(deps, group, lexicon)))).map(
    (reads, at) => ({ reads, group: groups[at] as Group }),
  )
  const all = read.flatMap(({ reads, group }) => reads.map((each) => ({ ...each, group })))
  if (groups.length === 1 && !all.some((each) => sizeOf(each) > 0)) return undefined
  const has = await haveParts(deps.db, all)
  const onSale = all.filter((_, at) => has[at])
  const first = inList ? onSale.find(({ kind }) => kind === inList) : onSale[0]
  if (!first) return undefined
  // 'case for rtx 5080 without glass' says more than a filter can
  if (first.left.length > 0 && fitWordsOf(query.q ?? '')) return undefined
  const others = onSale.filter((each) => each !== first)
  if (groups.length > 1 && !others.some(({ group }) => group !== first.group)) return undefined
  const isSeveral = groups.length > 1
  const ordered = [first, ...others]
  const { left, group } = first
  const kept = group.terms.filter((term) => term === group.kindTerm || left.includes(term))
  return {
    choices: ordered.map((each) =>
      choiceOf(each, isSeveral ? `Shows ${plural(each.kind.name)}` : ''),
    ),
    isOpen: false,
    words:
      left.length > 0
        ? kept.map(({ text, isNegated }) => (isNegated ? `without ${text}` : text)).join(' ')
        : '',
    ...(Object.keys(first.filters).length > 0 && !first.sort && { ranked: group.terms }),
  }
}
