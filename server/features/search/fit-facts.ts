/**
 * Reads a fact that a part should fit as filters of a list: 'lga 1851' for coolers is their socket,
 * 'a 330 mm card' for cases their longest card, and 'am4' for memory the type that boards with AM4
 * take.
 */
import { type FieldRef, fitFields, keyOf, kindOf } from '#contracts/fit-fields.ts'
import { type CompareRule, type FitRule, fieldsOf, fitRules } from '#contracts/fit-rules.ts'
import { plural } from '#contracts/plural.ts'
import { type FitDeps, type FitKind, fitStockOf } from '#server/features/fit/fit-parts.ts'
import { type KindFilters, kindFilters, type Spelled } from './kind-filters.ts'
import { sizeIn } from './parse-query.ts'

/** Filters of a list, and in words what they were made of. */
export type FactReading = { filters: Record<string, string[]>; text: string }

/** Words of a query that say what to fit. */
export type FactWords = {
  text: string
  /** Its words without names of kinds. */
  words: string[]
  /** What the kinds that it names are for the rules: a graphics card in '330 mm card'. */
  kinds: string[]
}

type Choice = Spelled & { ref: FieldRef }
/** The filters of a kind that rules read. */
type FitFilters = {
  /** The keys of the filters by what they are for the rules. */
  keys: Map<FieldRef, string>
  stated: KindFilters['stated']
  /** The values of the filters by their spellings, joined. */
  byText: Map<string, Choice[]>
}

const listed = (values: string[]) => values.join(' or ')

async function fitFiltersOf(deps: FitDeps, { slug, fields }: FitKind): Promise<FitFilters> {
  const { filters, stated, byText } = await kindFilters(deps, slug)
  const keys = [...filters.keys()].flatMap((key) => {
    const ref = fields.get(key)
    return ref ? [[ref, key] as const] : []
  })
  const choices = [...byText].map(([text, values]) => {
    const own = values.flatMap((value) => {
      const ref = fields.get(value.key)
      return ref ? [{ ...value, ref }] : []
    })
    return [text, own] as const
  })
  return { keys: new Map(keys), stated, byText: new Map(choices) }
}

/** Whether a rule compares a field with one of these kinds; with any kind, if there are none. */
const isAbout = (ref: FieldRef, kinds: string[]) =>
  kinds.length === 0 ||
  fitRules.some((rule) => {
    const fields = fieldsOf(rule)
    return fields.includes(ref) && fields.some((field) => kinds.includes(kindOf(field)))
  })

/** These values, and those in whose place each of them does too. */
function withAlike(ref: FieldRef, values: string[]): string[] {
  const groups = fitRules.flatMap((rule) =>
    rule.is === 'among' && rule.right === ref ? (rule.alike ?? []) : [],
  )
  const alike = groups.filter((group) => group.some((value) => values.includes(value))).flat()
  return [...new Set([...values, ...alike])]
}

/** In the order of the filter, so that the list has one address. */
const inOrder = (values: string[], { byText }: FitFilters, ref: FieldRef) => {
  const all = [...byText.values()].flat().filter((each) => each.ref === ref)
  return [...new Set(all.map(({ value }) => value))].filter((value) => values.includes(value))
}

/** A value of the kind's own filter. */
function ownValue(target: FactWords, filters: FitFilters): FactReading | undefined {
  const hit = filters.byText
    .get(target.words.join(''))
    ?.find(({ ref }) => isAbout(ref, target.kinds))
  if (!hit) return undefined
  const values = inOrder(withAlike(hit.ref, [hit.value]), filters, hit.ref)
  if (!isStated(hit.key, values, filters)) return undefined
  const alike = values.length > 1 ? ', because what goes on one goes on the other' : ''
  return {
    filters: { [hit.key]: values },
    text: `“${target.text}” means ${fitFields[hit.ref].says} ${listed(values)}${alike}.`,
  }
}

const isStated = (key: string, values: string[], { stated }: FitFilters) =>
  values.some((value) => stated.has(`${key}=${value}`))

const adjectives = new Set(['long', 'tall', 'high', 'wide', 'length', 'height'])
/** Units in the unit of the fields. */
const factors: Record<string, [times: number, unit: string]> = {
  ...{ mm: [1, 'mm'], cm: [10, 'mm'], w: [1, 'W'], kw: [1000, 'W'] },
}

/** Fields that must be at least as large as what a part of the named kinds measures or takes. */
const roomFor = (kind: FitKind, kinds: string[], unit: string): FieldRef[] => {
  const room = fitRules.flatMap((rule) =>
    rule.is === 'at most' &&
    kindOf(rule.right) === kind.kind &&
    (kinds.length === 0 ? unit === 'W' : kinds.includes(kindOf(rule.left)))
      ? [rule.right]
      : [],
  )
  // the whole PC takes power, so no other kind is named
  const power: FieldRef[] = kinds.length === 0 ? ['power-supply.wattage_w'] : []
  return [...room, ...power.filter((ref) => kindOf(ref) === kind.kind)].filter((ref) => {
    const field = fitFields[ref]
    return 'unit' in field && field.unit === unit
  })
}

/** A size or a power that the kind's own filter must have room for. */
function ownRoom(target: FactWords, filters: FitFilters, kind: FitKind): FactReading | undefined {
  const [word, ...others] = target.words.filter((each) => !adjectives.has(each))
  const size = word !== undefined && others.length === 0 ? sizeIn(word) : undefined
  const [times, unit] = factors[size?.unit ?? ''] ?? []
  if (!size || !times || !unit) return undefined
  const [ref, another] = roomFor(kind, target.kinds, unit)
  const key = ref && !another && filters.keys.get(ref)
  if (!key) return undefined
  const least = String(size.number * times)
  return {
    filters: { [`${key}-min`]: [least] },
    text: `“${target.text}” means ${fitFields[ref].says} of ${least} ${unit} or more.`,
  }
}

/** A rule that compares a field of one kind with one of another, as these two. */
function linkOf(rule: FitRule, from: string, to: string) {
  if (rule.is !== 'same' && rule.is !== 'among') return undefined
  const { left, right }: CompareRule = rule
  if (kindOf(left) === from && kindOf(right) === to) return { is: rule.is, from: left, to: right }
  // what takes several of them takes too many to say
  if (rule.is === 'same' && kindOf(right) === from && kindOf(left) === to)
    return { is: rule.is, from: right, to: left }
  return undefined
}

/** A value of another kind, whose parts say what goes with it: boards with AM4 take DDR4. */
async function throughOthers(
  deps: FitDeps,
  target: FactWords,
  filters: FitFilters,
  kind: FitKind,
  known: FitKind[],
): Promise<FactReading | undefined> {
  for (const other of known) {
    const links = fitRules.flatMap((rule) => linkOf(rule, other.kind, kind.kind) ?? [])
    if (other.kind === kind.kind || links.length === 0) continue
    const [hit] = (await fitFiltersOf(deps, other)).byText.get(target.words.join('')) ?? []
    if (!hit) continue
    const { all } = await fitStockOf(deps, other)
    const stock = [...all.values()].filter(({ part }) =>
      [part.specs[keyOf(hit.ref)]].flat().includes(hit.value),
    )
    const chosen: Record<string, string[]> = {}
    const said: string[] = []
    for (const { is, from, to } of links) {
      const key = filters.keys.get(to)
      const stated = new Set(stock.flatMap(({ part }) => part.specs[keyOf(from)] ?? []).map(String))
      // parts that go with one of several form factors do not go with each
      if (!key || stated.size === 0 || (is === 'among' && stated.size > 1)) continue
      const values = inOrder(withAlike(to, [...stated]), filters, to)
      if (!isStated(key, values, filters)) continue
      chosen[key] = values
      said.push(`${fitFields[to].says} ${listed(values)}`)
    }
    if (said.length > 0)
      return {
        filters: chosen,
        text: `“${target.text}” means ${said.join(' and ')}, as our ${plural(other.name)} with ${hit.value} take it.`,
      }
  }
  return undefined
}

/** Reads a fact as filters of a kind; undefined if the kind has none that say it. */
export async function readFact(
  deps: FitDeps,
  target: FactWords,
  kind: FitKind,
  known: FitKind[],
): Promise<FactReading | undefined> {
  if (target.words.length === 0) return undefined
  const filters = await fitFiltersOf(deps, kind)
  return (
    ownValue(target, filters) ??
    ownRoom(target, filters, kind) ??
    (await throughOthers(deps, target, filters, kind, known))
  )
}

/** Whether the kind has this word as a value: 'ssd' of storage drives. */
export const isValueOf = async (deps: FitDeps, word: string, { slug }: FitKind): Promise<boolean> =>
  (await kindFilters(deps, slug)).byText.has(word)
