/**
 * Reads a query about what goes together as a list of a kind with filters: 'cooler for 9800x3d' is
 * the list of coolers that fit this processor, and 'case for a 330 mm card' that of cases with room
 * for it. Anything else stays a search for words.
 */
import type { FitRule } from '#contracts/fit-rules.ts'
import { fieldsOf, fitRules } from '#contracts/fit-rules.ts'
import type { ListQuery } from '#contracts/part-lists.ts'
import { replacedBy } from '#contracts/pc-kinds.ts'
import { capital, plural } from '#contracts/plural.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { type FitKind, fitKinds } from '#server/features/fit/fit-parts.ts'
import { loadLexicon, timeLimited } from './find-parts.ts'
import { type FactWords, isValueOf, readFact } from './fit-facts.ts'
import { type FitWords, fitWordsOf } from './fit-words.ts'
import { kindsNamed, termsOf } from './named-kinds.ts'
import { bestNamed, type Candidate, findCandidates } from './named-parts.ts'
import type { Lexicon, Term } from './parse-query.ts'
import type { Choice, Reading } from './reading.ts'

type Deps = { db: Database; catalogue: CatalogueCache }

/** The most parts that are offered in place of one with the same name. */
const maxNamesakes = 3

/** @param isBare whether it is only a kind */
type Asked = { kinds: FitKind[]; kindTerm: Term | undefined; terms: Term[]; isBare: boolean }

/** What is asked for; undefined if it is not of kinds that rules know. */
function askedOf(
  tokens: string[],
  lexicon: Lexicon,
  known: FitKind[],
  listKind: string | undefined,
): Asked | undefined {
  const terms = termsOf(tokens, lexicon)
  const isList = ({ slug, name }: FitKind) => slug === listKind || name === listKind
  // 'processor with cooler' asks for more than a kind
  if (terms.some(({ isKind, isContext }) => isKind && isContext)) return undefined
  // the last one: a 'case fan' is a fan
  const kindTerm = terms.findLast(({ isKind, isNegated }) => isKind && !isNegated)
  const own = terms.filter((term) => term === kindTerm || !term.isKind || term.isNegated)
  if (!kindTerm) {
    const isNothing = listKind === undefined && own.length > 0
    return isNothing
      ? undefined
      : { kinds: known.filter(isList), kindTerm, terms: own, isBare: own.length === 0 }
  }
  const kinds = kindsNamed(kindTerm.word, lexicon, known)
  const first = kinds.filter((kind) => listKind === undefined || isList(kind))
  if (first.length === 0) return undefined
  return {
    kinds: [...new Set([...first, ...kinds])],
    ...{ kindTerm, terms: own, isBare: own.length === 1 },
  }
}

type Target = FactWords & { fitKinds: FitKind[] }

/** What it should fit; undefined if it says nothing, or what it should not. */
function targetOf(tokens: string[], lexicon: Lexicon, known: FitKind[]): Target | undefined {
  const terms = termsOf(tokens, lexicon)
  if (terms.length === 0 || terms.some(({ isNegated }) => isNegated)) return undefined
  const named = terms.map((term) => ({
    text: term.text,
    word: term.word.replaceAll('.', ''),
    kinds: term.isKind ? kindsNamed(term.word, lexicon, known) : [],
  }))
  const words = named.filter(({ kinds }) => kinds.length === 0).map(({ word }) => word)
  const ofKinds = named.flatMap(({ kinds }) => kinds)
  return {
    text: tokens.filter((token) => lexicon.means.get(token)?.length !== 0).join(' '),
    words,
    fitKinds: ofKinds,
    kinds: ofKinds.map(({ kind }) => kind),
  }
}

/** Whether a rule says anything of parts of both kinds alone. */
const isJudged = (one: string, other: string) =>
  fitRules.some((rule) => {
    const about = new Set(aboutOf(rule))
    return about.has(one) && about.has(other)
  })
function aboutOf(rule: FitRule): string[] {
  // a rule about a whole PC says nothing of two parts
  if (rule.is === 'one of') return []
  if (rule.is === 'power') return ['processor', 'power-supply']
  return fieldsOf(rule).map((ref) => ref.slice(0, ref.indexOf('.')))
}

const listText = ({ name }: FitKind) => capital(plural(name))

/** The lists of a kind that fit the named parts; none if a name is unclear. */
function choicesFor(kind: FitKind, targets: Target[], found: Candidate[][], known: FitKind[]) {
  const kindOf = ({ kind: name }: Candidate) => known.find((each) => each.name === name)?.kind ?? ''
  const isOther = (part: Candidate) =>
    kindOf(part) !== kind.kind && !replacedBy(kind.kind).includes(kindOf(part))
  const named = targets.map(({ words, kinds }, at) =>
    bestNamed(
      words,
      (found[at] ?? []).filter(
        (part) => isOther(part) && (kinds.length === 0 || kinds.includes(kindOf(part))),
      ),
    ),
  )
  const best = named.flatMap(([first]) => first ?? [])
  if (best.length < targets.length || !best.some((part) => isJudged(kind.kind, kindOf(part))))
    return []
  const choice = (text: string, parts: Candidate[]): Choice => ({
    ...{ text, kind: kind.slug },
    filters: { fits: [[...new Set(parts.map(({ number }) => number))].join(',')], only: ['fits'] },
    says: `What fits ${parts.map(({ name }) => name).join(' and ')}.`,
  })
  // parts with the same name may differ in what matters, so they are offered
  const [namesakes = []] = targets.length === 1 ? named : []
  return [
    choice(listText(kind), best),
    ...namesakes.slice(1, 1 + maxNamesakes).map((part) => choice(part.name, [part])),
  ]
}

/** What the words ask for and name; undefined if they are no such query. */
async function readWords(db: Database, split: FitWords, known: FitKind[], kind?: string) {
  const tokens = [...split.asked, ...split.targets.flat()]
  const lexicon = await timeLimited(db, (tx) => loadLexicon(tx, tokens))
  const asked = askedOf(split.asked, lexicon, known, kind)
  const targets = split.targets.flatMap((words) => targetOf(words, lexicon, known) ?? [])
  return asked && targets.length === split.targets.length ? { lexicon, asked, targets } : undefined
}

/** Finds the parts that may be named, in a statement. */
const findNamed = (db: Database, targets: Target[], known: FitKind[], lexicon: Lexicon) =>
  timeLimited(db, (tx) =>
    findCandidates(
      tx,
      targets.map(({ words }) => words),
      known.map(({ slug }) => slug),
      lexicon,
    ),
  )

/**
 * Reads a query. Costs nothing for one that does not say what it goes with, and at most two short
 * transactions for any other, besides what is cached.
 */
export async function readFit(deps: Deps, query: ListQuery): Promise<Reading | undefined> {
  const isRead = query.as === undefined ? query.fits === undefined : query.as === 'fits'
  const split = isRead ? fitWordsOf(query.q ?? '') : undefined
  if (!split) return undefined
  const known = await fitKinds(deps)
  const read = await readWords(deps.db, split, known, query.kind)
  if (!read) return undefined
  const { lexicon, asked, targets } = read
  const { kindTerm, terms, isBare } = asked
  const isOpen = asked.kinds.length === 0
  const [target, second] = targets
  const choices: Choice[] = []
  let named: Candidate[][] | undefined
  for (const kind of isOpen ? known : asked.kinds) {
    const fact = target && !second && !isOpen && (await readFact(deps, target, kind, known))
    if (fact) {
      const { filters, text: says } = fact
      choices.push({ text: listText(kind), kind: kind.slug, filters, says })
      continue
    }
    named ??= await findNamed(deps.db, targets, known, lexicon)
    choices.push(...choicesFor(kind, targets, named, known).slice(0, isOpen ? 1 : undefined))
  }
  const [first] = choices
  if (!first || (query.kind !== undefined && !isOpen && first.kind !== asked.kinds[0]?.slug))
    return undefined
  // with other words the kind is searched for too, so that these can be left out; a kind alone is
  // the list, but 'ssd' says more than 'storage drive'
  const kind = asked.kinds.find(({ slug }) => slug === first.kind)
  const isKind = isBare && kindTerm && kind && !(await isValueOf(deps, kindTerm.word, kind))
  const words = isKind
    ? ''
    : terms.map(({ text, isNegated }) => (isNegated ? `without ${text}` : text)).join(' ')
  return { choices, isOpen, words }
}
