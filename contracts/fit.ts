/**
 * Judges whether parts fit together in one PC, by `fit-rules.ts`. Pure, and the same in browser and
 * server. What is not stated is said, never guessed.
 */
import { type FieldRef, fitFields, keyOf, kindOf } from './fit-fields.ts'
import {
  type CompareRule,
  type FitRule,
  fieldsOf,
  fitRules,
  type NeedRule,
  type OneOfRule,
  type PairRule,
  type PlugsRule,
  type PowerRule,
  type TotalRule,
  watts,
} from './fit-rules.ts'
import type { Specs, SpecValue } from './kinds.ts'
import { replacedBy, singleKinds, wholeKinds } from './pc-kinds.ts'

/** Units of a part in the PC, with what it states by the keys of its kind, a slug. */
export type FitPart = { kind: string; name: string; specs: Specs; units: number }

/** A line of a basket, with what rules read of its part. */
type FitLine = {
  quantity: number
  part?: { name: string; fit: { kind: string; specs: Specs } | null } | null | undefined
}

/** The parts of a basket that rules know. */
export const fitPartsOf = (lines: readonly FitLine[]): FitPart[] =>
  lines.flatMap(({ part, quantity }) =>
    part?.fit ? [{ ...part.fit, name: part.name, units: quantity }] : [],
  )

/** How a rule came out; `tight` fits, `unknown` has not enough data. */
export const fitLevels = ['fits', 'tight', 'note', 'unknown', 'warning', 'problem'] as const
export type FitLevel = (typeof fitLevels)[number]

/** A part, by its place in the list, that does not state a field. */
export type Lack = { part: number; field: FieldRef }

export type Verdict = {
  rule: string
  level: FitLevel
  text: string
  /** The places of the parts that it is about. */
  parts: number[]
  lacks: Lack[]
}

/** What the PC draws in watts, a line for each part. */
export type Draw = { part: number; watts: number; says?: string }

export type Judgement = {
  verdicts: Verdict[]
  /**
   * The worst of the verdicts. 'fits': at least one rule ran, each has its data, and none says more
   * than a note. 'nothing': no rule ran. 'several': more than one PC's parts, which are not judged.
   */
  result: 'problem' | 'warning' | 'unknown' | 'fits' | 'nothing' | 'several'
}

type Plug = 'plugs_8pin' | 'plugs_6pin' | 'plugs_16pin'
type Placed = FitPart & { place: number }

const statedOf = ({ specs }: FitPart, ref: FieldRef): SpecValue | undefined => specs[keyOf(ref)]
const listed = (value: SpecValue): string => [value].flat().join(', ')

/** Puts values into the places of a text. */
const fill = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** A verdict whose words are made when somebody asks: for most candidates nobody does. */
export type Found = Omit<Verdict, 'text'> & { say: () => string }
const inWords = ({ say, ...verdict }: Found): Verdict => ({ ...verdict, text: say() })

/** A verdict by another field than the rule's own: fits by it, which is not enough to say so. */
function assumed(verdict: Found, says: string, lack: Lack): Found {
  const say = () => `${verdict.say()} (${says})`
  const isIn = verdict.level === 'fits' || verdict.level === 'tight'
  return isIn ? { ...verdict, level: 'unknown', say, lacks: [lack] } : { ...verdict, say }
}

class Judge {
  readonly #parts: readonly FitPart[]
  readonly #byKind: ReadonlyMap<string, Placed[]>
  readonly #about: number | undefined

  /** @param about the place of the part that comparisons are about; all parts without it */
  constructor(parts: readonly FitPart[], about?: number) {
    this.#parts = parts
    this.#about = about
    this.#byKind = Map.groupBy(
      parts.map((part, place) => ({ ...part, place })),
      ({ kind }) => kind,
    )
  }

  of(kind: string): Placed[] {
    return this.#byKind.get(kind) ?? []
  }

  unknown(rule: FitRule, parts: Placed[], lacks: Lack[]): Found {
    const [first] = lacks
    const say = () => {
      const name = first && this.#parts[first.part]?.name
      const label = first && fitFields[first.field].says
      return `Not enough data about ${name}: ${label}`
    }
    return { rule: rule.id, level: 'unknown', say, parts: placesOf(parts), lacks }
  }

  /** Pairs of the parts that a rule compares. */
  #pairs({ left, right }: { left: FieldRef; right: FieldRef }): [Placed, Placed][] {
    const [lefts, rights] = [left, right].map((ref) => this.of(kindOf(ref))) as [Placed[], Placed[]]
    const about = this.#about
    const isAbout = ({ place }: Placed) => place === about
    if (about !== undefined && lefts.some(isAbout))
      return lefts.filter(isAbout).flatMap((a) => rights.map((b): [Placed, Placed] => [a, b]))
    const those = about === undefined ? rights : rights.filter(isAbout)
    return lefts.flatMap((a) => those.map((b): [Placed, Placed] => [a, b]))
  }

  compare(rule: CompareRule): Found[] {
    if (rule.unless && this.of(rule.unless).length > 0) return []
    return this.#pairs(rule).map(([left, right]) => {
      const stated = statedOf(left, rule.left)
      const instead = stated === undefined ? rule.instead : undefined
      const a = instead ? statedOf(left, instead.field) : stated
      const b = statedOf(right, rule.right)
      if (a === undefined || b === undefined) {
        const lacks = [
          ...(a === undefined ? [{ part: left.place, field: rule.left }] : []),
          ...(b === undefined ? [{ part: right.place, field: rule.right }] : []),
        ]
        return this.unknown(rule, [left, right], lacks)
      }
      const room = Number(b) - Number(a)
      const among = [b].flat().map(String)
      const does = rule.alike?.find((group) => group.includes(String(a))) ?? [String(a)]
      const isIn =
        rule.is === 'same'
          ? a === b
          : rule.is === 'among'
            ? does.some((value) => among.includes(value))
            : room >= 0
      const { adapts } = rule
      const isAdapted = adapts?.from.includes(String(a)) && among.includes(adapts.to)
      const isTight = isIn && rule.is === 'at most' && rule.near !== undefined && room <= rule.near
      const isNote = !isIn && rule.noteBelow !== undefined && -room <= rule.noteBelow
      const say = () => {
        const values = { left: left.name, right: right.name, a: listed(a), b: listed(b) }
        const text = fill(isIn ? rule.fits : adapts && isAdapted ? adapts.says : rule.not, values)
        return isTight ? `${text}: ${room} mm left` : text
      }
      const miss = isNote ? 'note' : isAdapted ? 'warning' : rule.level
      const level = isTight ? 'tight' : isIn ? 'fits' : miss
      const verdict: Found = {
        ...{ rule: rule.id, level, parts: [left.place, right.place], lacks: [] },
        say,
      }
      if (!instead) return verdict
      return assumed(verdict, instead.says, { part: left.place, field: rule.left })
    })
  }

  need(rule: NeedRule): Found[] {
    const { except } = rule
    return this.#pairs(rule).flatMap(([left, right]) => {
      const needs = statedOf(left, rule.left)
      if (needs === false) return []
      if (except?.values.includes(String(statedOf(left, except.field)))) return []
      const has = statedOf(right, rule.right)
      if (needs === undefined)
        // a part that has it fits those that need it and those that do not
        return has === true
          ? []
          : [this.unknown(rule, [left, right], [{ part: left.place, field: rule.left }])]
      if (has === undefined)
        return [this.unknown(rule, [left, right], [{ part: right.place, field: rule.right }])]
      const say = () =>
        fill(has === true ? rule.fits : rule.not, { left: left.name, right: right.name })
      const level = has === true ? 'fits' : rule.level
      return [{ rule: rule.id, level, say, parts: [left.place, right.place], lacks: [] }]
    })
  }

  total(rule: TotalRule): Found[] {
    const holder = this.of(kindOf(rule.has[0] as FieldRef))
    const all = this.of(rule.kind)
    if (holder.length === 0 || all.length === 0) return []
    const lacks: Lack[] = []
    const read = (part: Placed, field: FieldRef): SpecValue | undefined => {
      const value = statedOf(part, field)
      if (value === undefined) lacks.push({ part: part.place, field })
      return value
    }
    const { where } = rule
    const counted = all.filter((part) => {
      const value = where && read(part, where.field)
      return !where || (value !== undefined && where.values.includes(String(value)))
    })
    let a = 0
    for (const part of counted) {
      for (const field of rule.asks ?? []) read(part, field)
      a += rule.takes.reduce((n, field) => n * Number(read(part, field) ?? 0), part.units)
    }
    if (counted.length === 0 && lacks.length === 0) return []
    const unknownNeeds = lacks.length
    let b = 0
    for (const part of holder)
      for (const field of rule.has) b += Number(read(part, field) ?? 0) * part.units
    const parts = [...counted, ...holder]
    const isIn = a <= b
    // what is not stated could only make more room
    if (lacks.length > 0 && !(isIn && unknownNeeds === 0)) return [this.unknown(rule, parts, lacks)]
    const right = holder[0]?.name ?? ''
    return [
      {
        rule: rule.id,
        level: isIn ? 'fits' : rule.level,
        say: () => fill(isIn ? rule.fits : rule.not, { a, b, right }),
        parts: placesOf(parts),
        lacks: [],
      },
    ]
  }

  oneOf(rule: OneOfRule): Found[] {
    const others = rule.or.flatMap((kind) => this.of(kind))
    return this.of(kindOf(rule.of)).map((part) => {
      const has = others.length > 0 || statedOf(part, rule.of)
      if (has === undefined)
        return this.unknown(rule, [part], [{ part: part.place, field: rule.of }])
      return {
        rule: rule.id,
        level: has ? 'fits' : rule.level,
        say: () => fill(has ? rule.fits : rule.not, { left: part.name }),
        parts: [part.place, ...placesOf(others)],
        lacks: [],
      }
    })
  }

  pair(rule: PairRule): Found[] {
    const { only } = rule
    return this.#pairs(rule).flatMap(([left, right]) => {
      if (only) {
        const value = statedOf(left, only.field)
        if (value !== undefined && !only.values.includes(String(value))) return []
      }
      const a = statedOf(left, rule.left)
      const b = statedOf(right, rule.right)
      if (a === undefined || b === undefined) {
        if (!rule.fits) return []
        const lacks = [
          ...(a === undefined ? [{ part: left.place, field: rule.left }] : []),
          ...(b === undefined ? [{ part: right.place, field: rule.right }] : []),
        ]
        return [this.unknown(rule, [left, right], lacks)]
      }
      const isPair = rule.pairs.some(
        (pair) =>
          pair.left.includes(String(a)) && (pair.right === 'any' || pair.right.includes(String(b))),
      )
      if (!isPair && !rule.fits) return []
      const values = { left: left.name, right: right.name, a: String(a), b: String(b) }
      return [
        {
          rule: rule.id,
          level: isPair ? rule.level : 'fits',
          say: () => fill(isPair ? rule.not : rule.fits, values),
          parts: [left.place, right.place],
          lacks: [],
        },
      ]
    })
  }

  power(rule: PowerRule): Found[] {
    const [supply] = this.of('power-supply')
    if (!supply || this.of('processor').length === 0) return []
    const { draws, lacks } = drawOf(this.#parts)
    const given = statedOf(supply, 'power-supply.wattage_w')
    if (given === undefined) lacks.push({ part: supply.place, field: 'power-supply.wattage_w' })
    const parts = [supply.place, ...draws.map(({ part }) => part)]
    if (lacks.length > 0) return [{ ...this.unknown(rule, [], lacks), parts }]
    const a = draws.reduce((sum, each) => sum + each.watts, 0)
    const b = Number(given) * supply.units
    const c = b > 0 ? Math.floor(((b - a) / b) * 100) : 0
    const level = a > b ? rule.level : c < rule.reserve ? 'warning' : 'fits'
    const words = a > b ? rule.not : c < rule.reserve ? rule.tight : rule.fits
    const say = () => {
      const [top] = draws.toSorted((one, other) => other.watts - one.watts)
      const left = this.#parts[top?.part ?? supply.place]?.name ?? ''
      return fill(words, { a, b, c, left, most: top?.watts ?? 0, right: supply.name })
    }
    const verdict: Found = { ...{ rule: rule.id, level, parts, lacks: [] }, say }
    const guess = draws.find(({ says }) => says)
    const field = 'processor.power_limit_w' as const
    return [guess?.says ? assumed(verdict, guess.says, { part: guess.part, field }) : verdict]
  }

  plugs(rule: PlugsRule): Found[] {
    const [supply] = this.of('power-supply')
    const cards = this.of('graphics-card')
    if (!supply || cards.length === 0) return []
    const lacks: Lack[] = []
    const needed = (key: Plug): number => {
      let sum = 0
      for (const card of cards) {
        const field: FieldRef = `graphics-card.${key}`
        const value = statedOf(card, field)
        if (value === undefined) lacks.push({ part: card.place, field })
        else sum += Number(value) * card.units
      }
      return sum
    }
    const given = (key: Plug): number => {
      const field: FieldRef = `power-supply.${key}`
      const value = statedOf(supply, field)
      if (value === undefined) lacks.push({ part: supply.place, field })
      return Number(value ?? 0) * supply.units
    }
    const need = {
      eight: needed('plugs_8pin'),
      six: needed('plugs_6pin'),
      sixteen: needed('plugs_16pin'),
    }
    // a card that needs no plug of a kind does not ask how many there are
    const sixteen = need.sixteen > 0 ? given('plugs_16pin') : 0
    const adapted = Math.max(0, need.sixteen - sixteen)
    const { plugs: ofAdapter, lacks: unknownDraws } = adapterPlugs(adapted > 0 ? cards : [])
    const alone = need.eight + ofAdapter * adapted
    const eight = alone + need.six > 0 ? given('plugs_8pin') : 0
    // an 8-pin plug of a supply is also a 6-pin plug, and who has enough of these needs no other
    const six = need.six > 0 && alone + need.six > eight ? given('plugs_6pin') : 0
    const eights = alone + Math.max(0, need.six - six)
    const parts = [...cards, supply]
    if (lacks.length > 0) return [this.unknown(rule, parts, lacks)]
    const isIn = eights <= eight
    // two plugs are the fewest: where these lack, the card's draw does not matter
    if (isIn && unknownDraws.length > 0) return [this.unknown(rule, parts, unknownDraws)]
    const plugs = (counts: [number, string][]): string =>
      counts
        .filter(([n]) => n > 0)
        .map(([n, what]) => `${n} × ${what}`)
        .join(' and ') || 'none'
    const say = () =>
      fill(isIn ? (adapted > 0 ? rule.tight : rule.fits) : rule.not, {
        left: cards.map(({ name }) => name).join(' and '),
        right: supply.name,
        c: ofAdapter,
        a: plugs([
          [need.eight, '8-pin'],
          [need.six, '6-pin'],
          [need.sixteen, '16-pin'],
        ]),
        b: plugs([
          [eight, '8-pin'],
          [six, '6-pin'],
          [sixteen, '16-pin'],
        ]),
      })
    const level = isIn ? (adapted > 0 ? 'tight' : 'fits') : rule.level
    return [{ rule: rule.id, level, say, parts: placesOf(parts), lacks: [] }]
  }

  run(rule: FitRule): Found[] {
    switch (rule.is) {
      case 'same':
      case 'among':
      case 'at most':
        return this.compare(rule)
      case 'need':
        return this.need(rule)
      case 'total':
        return this.total(rule)
      case 'one of':
        return this.oneOf(rule)
      case 'pair':
        return this.pair(rule)
      case 'power':
        return this.power(rule)
      case 'plugs':
        return this.plugs(rule)
    }
  }
}

/**
 * The 8-pin plugs that an adapter to a 16-pin plug needs for the strongest of these cards: two, or
 * one for each 150 W, which is what a plug may carry; and the cards whose draw is not known.
 */
function adapterPlugs(cards: Placed[]): { plugs: number; lacks: Lack[] } {
  const lacks: Lack[] = []
  let plugs = 2
  for (const { specs, place } of cards.filter((card) => card.specs.plugs_16pin !== 0)) {
    if (specs.tdp_w === undefined) lacks.push({ part: place, field: 'graphics-card.tdp_w' })
    else plugs = Math.max(plugs, Math.ceil(Number(specs.tdp_w) / watts.eightPinPlug))
  }
  return { plugs, lacks }
}

const placesOf = (parts: Placed[]): number[] => parts.map(({ place }) => place)

/**
 * What the parts of a PC draw at the most, in watts, by their place in the list, and what is not
 * known of it. Sources: docs/fit.md.
 */
export function drawOf(parts: readonly FitPart[]): { draws: Draw[]; lacks: Lack[] } {
  const lacks: Lack[] = []
  const draws = parts.flatMap((part, place): Draw[] => {
    const read = (key: string): SpecValue | undefined => {
      const value = part.specs[key]
      if (value === undefined) lacks.push({ part: place, field: `${part.kind}.${key}` as FieldRef })
      return value
    }
    const each = (drawn: number): Draw[] => [{ part: place, watts: drawn * part.units }]
    switch (part.kind) {
      case 'processor': {
        const limit = part.specs.power_limit_w
        const drawn = limit ?? read('tdp_w')
        const [draw] = each(Number(drawn ?? 0))
        return draw
          ? [limit === undefined ? { ...draw, says: 'with its TDP, its limit is not known' } : draw]
          : []
      }
      case 'graphics-card':
        return each(Number(read('tdp_w') ?? 0))
      case 'motherboard':
        return each(watts.board)
      case 'memory-module':
        return each(watts.memoryModule * Number(read('modules') ?? 0))
      case 'storage-drive': {
        const type = read('type')
        if (type === 'Hard drive') return each(watts.hardDrive)
        return each(read('interface') === 'SATA' ? watts.sataSsd : watts.nvme)
      }
      case 'fan':
        return each(watts.fan * Number(read('pack') ?? 0))
      case 'liquid-cooler':
        return each(watts.pump)
      default:
        return []
    }
  })
  return { draws, lacks }
}

const order = ['problem', 'warning', 'unknown'] as const

const unitsOf = (parts: readonly FitPart[], kinds: readonly string[]) =>
  parts.reduce((sum, { kind, units }) => (kinds.includes(kind) ? sum + units : sum), 0)

/** What these parts lack to be a whole PC. */
export type Missing = (typeof wholeKinds)[number] | 'cooler' | 'picture'

/** The kinds that a PC of these parts still needs, and then what it needs of one of several. */
export function missingOf(parts: readonly FitPart[]): Missing[] {
  const kinds = wholeKinds.filter((kind) => unitsOf(parts, [kind]) === 0)
  const lacking = fitRules.flatMap((rule) =>
    rule.is === 'one of' && parts.some(({ kind }) => kind === kindOf(rule.of))
      ? new Judge(parts)
          .oneOf(rule)
          .flatMap(({ level }) => (['fits', 'unknown'].includes(level) ? [] : [rule.id]))
      : [],
  )
  return [...kinds, ...(lacking as Missing[])]
}

const isSeveral = (parts: readonly FitPart[]) =>
  singleKinds.some((kinds) => unitsOf(parts, kinds) > 1)

/** Judges the parts of one PC. A cooler and a picture ('one of') are asked for in a whole PC alone. */
export function judge(parts: readonly FitPart[]): Judgement {
  if (isSeveral(parts)) return { verdicts: [], result: 'several' }
  const judging = new Judge(parts)
  const isWhole = wholeKinds.every((kind) => unitsOf(parts, [kind]) > 0)
  const verdicts = fitRules
    .filter(({ is }) => isWhole || is !== 'one of')
    .flatMap((rule) => judging.run(rule).map(inWords))
  const levels = new Set(verdicts.map(({ level }) => level))
  const fits = levels.size > 0 ? 'fits' : 'nothing'
  return { verdicts, result: order.find((level) => levels.has(level)) ?? fits }
}

/** What a judgement comes to, in a sentence; undefined where there is nothing to say. */
export function resultText({ result, verdicts }: Judgement): string | undefined {
  const unknown = verdicts.filter(({ level }) => level === 'unknown').length
  switch (result) {
    case 'problem':
      return 'These parts don’t work together.'
    case 'warning':
      return 'These parts work together, but read this first.'
    case 'unknown':
      return `No problem found. ${unknown === 1 ? 'One thing' : `${unknown} things`} couldn’t be checked.`
    case 'fits':
      return 'These parts work together.'
    case 'several':
      return 'These are parts for more than one PC, so we haven’t checked them together.'
    case 'nothing':
      return undefined
  }
}

/** The kinds that a rule is about. */
const kindsOf = (rule: FitRule): Set<string> => new Set(fieldsOf(rule).map(kindOf))

/** The verdict that decides: the first of the worst. */
export function worstOf<V extends { level: FitLevel }>(verdicts: readonly V[]): V | undefined {
  for (const level of [...order, 'tight', 'fits'] as const) {
    const found = verdicts.find((verdict) => verdict.level === level)
    if (found) return found
  }
  return undefined
}

/** The words of the deciding verdict, with how many more are as bad. */
export function withMore(text: string, level: FitLevel, verdicts: readonly { level: FitLevel }[]) {
  const isBad = level === 'problem' || level === 'warning'
  const more = verdicts.filter((verdict) => verdict.level === level).length - 1
  return isBad && more > 0 ? `${text} (and ${more} more)` : text
}

/** Kinds whose draw decides; what others draw is judged with the whole PC. */
const strongKinds: readonly string[] = ['processor', 'graphics-card', 'power-supply']

/**
 * Judges parts of a kind as the next part of a PC, or in the place of those that it replaces. What is
 * wrong without the part is not held against it.
 * @param kind a kind that rules know
 * @returns judges one candidate: the verdict that decides; undefined when none is about it, and for
 *   parts of several PCs
 */
export function judgeCandidates(
  parts: readonly FitPart[],
  kind: string,
): (candidate: FitPart) => Found | undefined {
  const others = parts.filter((part) => !replacedBy(kind).includes(part.kind))
  if (isSeveral(others)) return () => undefined
  const present = new Set(others.map((part) => part.kind))
  const rules = fitRules.filter((rule) => {
    const about = kindsOf(rule)
    if (rule.is === 'one of' || (rule.is === 'power' && !strongKinds.includes(kind))) return false
    return about.has(kind) && [...about].some((each) => present.has(each))
  })
  return (candidate) => {
    if (isSeveral([candidate])) return undefined
    const judging = new Judge([...others, candidate], others.length)
    const found = rules
      .flatMap((rule) => judging.run(rule))
      .filter(({ parts: about }) => about.includes(others.length))
    const worst = worstOf(found)
    return worst && { ...worst, say: () => withMore(worst.say(), worst.level, found) }
  }
}
