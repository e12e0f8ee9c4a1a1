/** The rules of fit on parts of their own, on the demo shop's parts, and on random builds of these. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FitPart, judge, type Verdict } from '#contracts/fit.ts'
import { type FieldRef, type FitRule, fieldsOf, fitRules } from '#contracts/fit-rules.ts'
import type { Specs, SpecValue } from '#contracts/kinds.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { picturedParts } from './content.ts'
import { drawnParts } from './drawn-parts.ts'
import { builtinKinds } from './kinds.ts'

const slugOf = (kind: string) => kind.replaceAll(' ', '-')
const shelf = [...picturedParts, ...drawnParts()].map(
  ({ name, kind, specs }): FitPart => ({ name, kind: slugOf(kind), specs: specs ?? {}, units: 1 }),
)
const named = (name: string): FitPart => {
  const part = shelf.find((each) => each.name === name)
  if (!part) throw new Error(`no ${name}`)
  return part
}
const part = (kind: string, specs: Specs, units = 1): FitPart => ({
  ...{ kind, specs, units },
  name: `The ${kind}`,
})
const verdictOf = (id: string, ...parts: FitPart[]): Verdict | undefined =>
  judge(parts).verdicts.find(({ rule }) => rule === id)
const levelOf = (id: string, ...parts: FitPart[]) => verdictOf(id, ...parts)?.level

/** Fields of two parts: what fits, what does not, and what fits tightly. */
type Case = {
  left: [string, Specs]
  right: [string, Specs]
  not: Specs
  of?: 'left' | 'right'
  tight?: Specs
}
const cases: Record<string, Case> = {
  socket: {
    left: ['processor', { socket: 'AM5' }],
    right: ['motherboard', { socket: 'AM5' }],
    not: { socket: 'LGA 1851' },
  },
  chipset: {
    left: ['processor', { socket: 'AM4', architecture: 'Zen 3' }],
    right: ['motherboard', { chipset: 'B550' }],
    not: { architecture: 'Zen+', socket: 'AM4' },
    of: 'left',
  },
  'memory-type': {
    left: ['memory-module', { type: 'DDR5' }],
    right: ['motherboard', { memory_type: 'DDR5' }],
    not: { memory_type: 'DDR4' },
  },
  'memory-form': {
    left: ['memory-module', { module_form: 'DIMM' }],
    right: ['motherboard', { memory_form: 'DIMM' }],
    not: { memory_form: 'SO-DIMM' },
  },
  'memory-ecc': {
    left: ['memory-module', { ecc: true }],
    right: ['motherboard', { memory_ecc: true }],
    not: { memory_ecc: false },
  },
  'memory-registered': {
    left: ['memory-module', { registered: true }],
    right: ['motherboard', { memory_registered: true }],
    not: { memory_registered: false },
  },
  'board-registered': {
    left: ['motherboard', { memory_registered: true }],
    right: ['memory-module', { registered: true }],
    not: { registered: false },
  },
  'memory-slots': {
    left: ['memory-module', { modules: 4 }],
    right: ['motherboard', { memory_slots: 4 }],
    not: { memory_slots: 2 },
  },
  'memory-capacity': {
    left: ['memory-module', { capacity_gb: 128 }],
    right: ['motherboard', { memory_max_gb: 128 }],
    not: { memory_max_gb: 64 },
  },
  'memory-below-cooler': {
    left: ['memory-module', { height_mm: 42 }],
    right: ['tower-cooler', { memory_below_mm: 42 }],
    not: { memory_below_mm: 41 },
  },
  'board-in-case': {
    left: ['motherboard', { form_factor: 'ATX' }],
    right: ['case', { boards: ['ATX', 'Mini-ITX'] }],
    not: { boards: ['Mini-ITX'] },
  },
  'plugs-at-back': {
    left: ['motherboard', { plugs_at_back: true }],
    right: ['case', { plugs_at_back: true }],
    not: { plugs_at_back: false },
  },
  'card-length': {
    left: ['graphics-card', { length_mm: 300 }],
    right: ['case', { card_max_mm: 311 }],
    not: { card_max_mm: 299 },
    tight: { card_max_mm: 310 },
  },
  'card-slots': {
    left: ['graphics-card', { slots: 3 }],
    right: ['case', { slots: 3 }],
    not: { slots: 2 },
  },
  'tower-cooler-on-processor': {
    left: ['processor', { socket: 'AM5' }],
    right: ['tower-cooler', { sockets: ['AM4', 'AM5'] }],
    not: { sockets: ['AM4'] },
  },
  'tower-cooler-on-board': {
    left: ['motherboard', { socket: 'AM5' }],
    right: ['tower-cooler', { sockets: ['AM4', 'AM5'] }],
    not: { sockets: ['AM4'] },
  },
  'tower-cooler-strength': {
    left: ['processor', { power_limit_w: 230 }],
    right: ['tower-cooler', { cools_w: 230 }],
    not: { cools_w: 229 },
  },
  'liquid-cooler-on-processor': {
    left: ['processor', { socket: 'AM5' }],
    right: ['liquid-cooler', { sockets: ['AM4', 'AM5'] }],
    not: { sockets: ['AM4'] },
  },
  'liquid-cooler-on-board': {
    left: ['motherboard', { socket: 'AM5' }],
    right: ['liquid-cooler', { sockets: ['AM4', 'AM5'] }],
    not: { sockets: ['AM4'] },
  },
  'liquid-cooler-strength': {
    left: ['processor', { power_limit_w: 230 }],
    right: ['liquid-cooler', { cools_w: 230 }],
    not: { cools_w: 229 },
  },
  'cooler-height': {
    left: ['tower-cooler', { height_mm: 160 }],
    right: ['case', { cooler_max_mm: 164 }],
    not: { cooler_max_mm: 159 },
    tight: { cooler_max_mm: 163 },
  },
  radiator: {
    left: ['liquid-cooler', { radiator_mm: '240' }],
    right: ['case', { radiators_mm: ['120', '240'] }],
    not: { radiators_mm: ['120'] },
  },
  'supply-size': {
    left: ['power-supply', { form_factor: 'SFX' }],
    right: ['case', { supply_sizes: ['SFX', 'SFX-L'] }],
    not: { supply_sizes: ['ATX'] },
  },
  'supply-length': {
    left: ['power-supply', { length_mm: 160 }],
    right: ['case', { supply_max_mm: 160 }],
    not: { supply_max_mm: 159 },
  },
  'processor-plugs': {
    left: ['motherboard', { eps_plugs: 3 }],
    right: ['power-supply', { eps_plugs: 3 }],
    not: { eps_plugs: 1 },
  },
  'm2-slots': {
    left: ['storage-drive', { form_factor: 'M.2 2280' }],
    right: ['motherboard', { m2_slots: 1 }],
    not: { m2_slots: 0 },
  },
  'sata-ports': {
    left: ['storage-drive', { form_factor: '3.5"' }],
    right: ['motherboard', { sata_ports: 1 }],
    not: { sata_ports: 0 },
  },
  'sata-plugs': {
    left: ['storage-drive', { form_factor: '2.5"' }],
    right: ['power-supply', { sata_plugs: 1 }],
    not: { sata_plugs: 0 },
  },
  'large-bays': {
    left: ['storage-drive', { form_factor: '3.5"' }],
    right: ['case', { bays_35: 1 }],
    not: { bays_35: 0 },
  },
  bays: {
    left: ['storage-drive', { form_factor: '2.5"' }],
    right: ['case', { bays_25: 0, bays_35: 1 }],
    not: { bays_25: 0, bays_35: 0 },
  },
  'fan-headers': {
    left: ['fan', { pack: 3 }],
    right: ['motherboard', { fan_headers: 3 }],
    not: { fan_headers: 2 },
  },
  'fan-places': {
    left: ['fan', { pack: 3 }],
    right: ['case', { fan_places: 3 }],
    not: { fan_places: 2 },
  },
  'fan-size': {
    left: ['fan', { size_mm: 140 }],
    right: ['case', { fan_sizes_mm: ['120', '140'] }],
    not: { fan_sizes_mm: ['120'] },
  },
}

const without = (specs: Specs, field: FieldRef): Specs => {
  const { [field.slice(field.indexOf('.') + 1)]: _, ...rest } = specs
  return rest
}

describe.each(Object.entries(cases))('%s', (id, { left, right, not, of = 'right', tight }) => {
  const rule = fitRules.find((each) => each.id === id) as FitRule
  const { level } = rule
  const read = fieldsOf(rule).filter((field) => !('only' in rule && rule.only?.field === field))
  const fieldsOn = ([kind, specs]: [string, Specs]) =>
    read.filter(
      (field) =>
        field.startsWith(`${kind}.`) &&
        Object.keys(without(specs, field)).length < Object.keys(specs).length,
    )
  const judged = (a: Specs, b: Specs) => verdictOf(id, part(left[0], a), part(right[0], b))

  test('fits, does not, and says what is missing on either side', () => {
    expect(judged(left[1], right[1])?.level).toBe('fits')
    const broken = of === 'left' ? judged(not, right[1]) : judged(left[1], not)
    expect([broken?.level, broken?.text]).toEqual([level, expect.not.stringMatching(/[{}]|undef/)])
    if (tight) expect(judged(left[1], tight)?.level).toBe('tight')
    // who has what some need fits those, too, that do not say whether they need it
    const other = rule.is === 'need' ? not : right[1]
    for (const field of fieldsOn(left))
      expect(judged(without(left[1], field), other), field).toMatchObject({
        level: 'unknown',
        lacks: [{ part: 0, field }],
      })
    for (const field of fieldsOn(right))
      expect(judged(left[1], without(right[1], field)), field).toMatchObject({
        level: 'unknown',
        lacks: [{ part: 1, field }],
      })
  })
})

describe('power', () => {
  const processor = part('processor', { power_limit_w: 160 })
  const card = part('graphics-card', { tdp_w: 300 })
  const board = part('motherboard', {})
  const supply = (wattage_w: number) => part('power-supply', { wattage_w })

  test('is summed from limits, and has a reserve', () => {
    expect(verdictOf('power', processor, card, board, supply(750))).toMatchObject({
      level: 'fits',
      text: '500 of 750 W are drawn at the most, 33 % reserve',
    })
    expect(levelOf('power', processor, card, board, supply(650))).toBe('warning')
    expect(levelOf('power', processor, card, board, supply(499))).toBe('problem')
  })

  test('takes the TDP of a processor without a limit, and says so', () => {
    const plain = part('processor', { tdp_w: 65 })
    const lacks = [{ part: 0, field: 'processor.power_limit_w' }]
    expect(verdictOf('power', plain, supply(500))).toMatchObject({
      level: 'unknown',
      text: '65 of 500 W are drawn at the most, 87 % reserve (with its TDP, its limit is not known)',
      lacks,
    })
    expect(levelOf('power', plain, supply(64))).toBe('problem')
    const strength = verdictOf(
      'tower-cooler-strength',
      plain,
      part('tower-cooler', { cools_w: 65 }),
    )
    expect(strength).toMatchObject({
      level: 'unknown',
      lacks,
      text: expect.stringContaining('its TDP'),
    })
  })

  test('needs a processor, and the power of each card and of the supply', () => {
    expect(verdictOf('power', card, supply(750))).toBeUndefined()
    for (const parts of [
      [part('processor', {}), supply(750)],
      [processor, part('graphics-card', {}), supply(750)],
      [processor, part('memory-module', {}), supply(750)],
      [processor, part('storage-drive', {}), supply(750)],
      [processor, part('fan', {}), supply(750)],
      [processor, part('power-supply', {})],
    ])
      expect(levelOf('power', ...parts)).toBe('unknown')
  })
})

describe('the plugs of graphics cards', () => {
  const card = (eight: number, six: number, sixteen: number, units = 1) =>
    part('graphics-card', { plugs_8pin: eight, plugs_6pin: six, plugs_16pin: sixteen }, units)
  const supply = (eight: number, six: number, sixteen: number) =>
    part('power-supply', { plugs_8pin: eight, plugs_6pin: six, plugs_16pin: sixteen })

  test.each([
    ['fits', card(2, 0, 0), supply(2, 0, 0)],
    ['fits', card(1, 1, 0), supply(2, 0, 0)],
    ['fits', card(0, 0, 1), supply(0, 0, 1)],
    ['tight', card(0, 0, 1), supply(2, 0, 0)],
    ['problem', card(1, 0, 1), supply(2, 0, 0)],
    ['problem', card(1, 0, 0, 2), supply(1, 0, 0)],
    ['fits', card(0, 0, 0), part('power-supply', {})],
    ['fits', card(1, 0, 0), part('power-supply', { plugs_8pin: 1 })],
    ['unknown', card(0, 0, 1), part('power-supply', { plugs_8pin: 4 })],
    ['unknown', part('graphics-card', { plugs_8pin: 1, plugs_6pin: 0 }), supply(4, 0, 1)],
  ])('%s', (level, one, other) => {
    expect(levelOf('card-plugs', one, other)).toBe(level)
  })
})

test('a cooler and a picture come from one of several parts', () => {
  const bare = part('processor', { cooler: false, graphics: false })
  expect(levelOf('cooler', bare)).toBe('warning')
  expect(levelOf('cooler', bare, part('liquid-cooler', {}))).toBe('fits')
  expect(levelOf('cooler', part('processor', { cooler: true }))).toBe('fits')
  expect(levelOf('cooler', part('processor', {}))).toBe('unknown')
  expect(levelOf('cooler', part('processor', {}), part('tower-cooler', {}))).toBe('fits')
  expect(levelOf('picture', bare)).toBe('problem')
  expect(levelOf('picture', bare, part('graphics-card', {}))).toBe('fits')
  expect(levelOf('picture', part('processor', {}))).toBe('unknown')
})

test('a newer BIOS and one EPS plug less are notes, and what needs nothing asks for nothing', () => {
  const new_ = part('processor', { architecture: 'Zen 5' })
  expect(levelOf('bios', new_, part('motherboard', { chipset: 'B650' }))).toBe('note')
  expect(verdictOf('bios', new_, part('motherboard', {}))).toBeUndefined()
  const plugs = [part('motherboard', { eps_plugs: 2 }), part('power-supply', { eps_plugs: 1 })]
  expect(levelOf('processor-plugs', ...plugs)).toBe('note')
  const plain = part('memory-module', { ecc: false, registered: false })
  expect(verdictOf('memory-ecc', plain, part('motherboard', {}))).toBeUndefined()
  expect(verdictOf('memory-registered', plain, part('motherboard', {}))).toBeUndefined()
})

test('parts of two PCs are not judged, and one part alone is nothing', () => {
  const processor = named('Lodestone 7 9700X')
  expect(judge([{ ...processor, units: 2 }]).result).toBe('several')
  expect(judge([processor, named('Fluxgate 5 245')]).result).toBe('several')
  expect(judge([named('Chimney 120'), named('Brook 240')]).result).toBe('several')
  expect(judge([named('Vitrine ATX')]).result).toBe('nothing')
})

test('every rule has a case here, and reads fields that its kinds have', () => {
  const own = ['power', 'card-plugs', 'cooler', 'picture', 'bios']
  expect(fitRules.map(({ id }) => id).toSorted()).toEqual(
    [...Object.keys(cases), ...own].toSorted(),
  )
  const known = new Set(
    Object.entries(builtinKinds).flatMap(([kind, { fields }]) =>
      Object.keys(fields).map((key) => `${slugOf(kind)}.${key}`),
    ),
  )
  expect(fitRules.flatMap(fieldsOf).filter((field) => !known.has(field))).toEqual([])
})

test('known answers of the demo shop', () => {
  const pair = (...names: string[]) =>
    judge(names.map(named))
      .verdicts.filter(({ level }) => level !== 'fits')
      .map(({ rule, level, text }) => [rule, level, text])
  expect(pair('Cinder RX 7600', 'Breadbox ITX')).toEqual([
    [
      'card-length',
      'problem',
      'Cinder RX 7600 is 240 mm long; Breadbox ITX takes cards up to 205 mm',
    ],
  ])
  expect(pair('Chimney 140 Duo', 'Vitrine ATX')).toEqual([
    [
      'cooler-height',
      'problem',
      'Chimney 140 Duo is 165 mm tall; Vitrine ATX takes coolers up to 160 mm',
    ],
  ])
  const [socket] = pair('Fluxgate 5 245', 'Basalt B650 ATX')
  expect(socket).toEqual([
    'socket',
    'problem',
    'Fluxgate 5 245 is LGA 1851, Basalt B650 ATX is AM5',
  ])
  const weak = ['Cinder RX 7800 XT', 'Marrow 450 SFX']
  expect(pair(...weak)).toEqual([
    ['card-plugs', 'problem', 'Cinder RX 7800 XT needs 2 × 8-pin; Marrow 450 SFX has 1 × 8-pin'],
  ])
  expect(pair(...weak, 'Lodestone 7 9700X').map(([rule]) => rule)).toContain('power')
  expect(pair('Brook 240', 'Vitrine ATX')).toEqual([
    ['radiator', 'unknown', 'Not enough data: Vitrine ATX does not state radiators'],
  ])
})

const of = (kind: string) => shelf.filter((each) => each.kind === kind)
const coolers = [...of('tower-cooler'), ...of('liquid-cooler')]
/** Whole PCs whose socket and memory match, with a cooler if none is in the box. */
const builds = fc
  .tuple(
    fc.constantFrom(...of('processor')),
    fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }),
  )
  .map(([processor, picks]) => {
    const pick = (all: FitPart[], i: number): FitPart =>
      all[(picks[i] ?? 0) % all.length] as FitPart
    const boards = of('motherboard').filter(({ specs }) => specs.socket === processor.specs.socket)
    const board = pick(boards, 0)
    const modules = of('memory-module').filter(
      ({ specs }) => specs.type === board.specs.memory_type,
    )
    return [
      processor,
      board,
      pick(modules, 1),
      pick(of('storage-drive'), 2),
      pick(of('power-supply'), 3),
      pick(of('case'), 4),
      pick(of('graphics-card'), 5),
      pick(of('fan'), 6),
      ...(processor.specs.cooler === false ? [pick(coolers, 7)] : []),
    ]
  })

test('at least 95 of 100 whole builds of the demo shop have nothing unknown', () => {
  const sample = fc.sample(builds, { numRuns: 2000, seed })
  const levels = sample.map((build) => judge(build).verdicts.map(({ level }) => level))
  const whole = levels.filter((all) => !all.includes('unknown'))
  expect(whole.length / sample.length).toBeGreaterThan(0.95)
  for (const level of ['fits', 'tight', 'note', 'warning', 'problem'] as const)
    expect(levels.flat()).toContain(level)
})

/** Values that parts of a kind state for a key. */
const stated = (kind: string, key: string): SpecValue[] =>
  of(kind).flatMap(({ specs }) => (specs[key] === undefined ? [] : [specs[key]]))

test('no build with missing data is called fitting: each value would fit', () => {
  const read = new Set(fitRules.flatMap(fieldsOf))
  const gap = fc.tuple(builds, fc.nat(7), fc.nat(1000), fc.nat(1000))
  let fitting = 0
  fc.assert(
    fc.property(gap, ([build, which, key, other]) => {
      const part = build[which] as FitPart
      const keys = Object.keys(part.specs).filter((each) => read.has(`${part.kind}.${each}`))
      const missing = keys[key % keys.length]
      if (!missing) return
      const { [missing]: _, ...specs } = part.specs
      const judged = (own: Specs) =>
        judge(build.map((each, i) => (i === which ? { ...each, specs: own } : each))).result
      if (judged(specs) !== 'fits') return
      fitting += 1
      const values = stated(part.kind, missing)
      const value = values[other % values.length]
      if (value !== undefined) expect(judged({ ...specs, [missing]: value })).toBe('fits')
    }),
    { numRuns: atLength ? 100_000 : 10_000, seed },
  )
  expect(fitting).toBeGreaterThan(0)
})
