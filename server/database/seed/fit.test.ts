/** The rules of fit on parts of their own, on the demo shop's parts, and on random builds of these. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  drawOf,
  type FitPart,
  judge,
  judgeCandidates,
  missingOf,
  type Verdict,
} from '#contracts/fit.ts'
import { type FieldRef, fitFields } from '#contracts/fit-fields.ts'
import { type FitRule, fieldsOf, fitRules } from '#contracts/fit-rules.ts'
import type { Specs, SpecValue } from '#contracts/kinds.ts'
import { wholeKinds } from '#contracts/pc-kinds.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { realBuilds } from '#tests/support/real-builds.ts'
import { demoBuilds, picturedParts } from './content.ts'
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
  /** Of the left part. */
  units?: number
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
  'memory-of-processor': {
    left: ['memory-module', { type: 'DDR5' }],
    right: ['processor', { memory_types: ['DDR4', 'DDR5'] }],
    not: { memory_types: ['DDR4'] },
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
    right: ['case', { cooler_max_mm: 166 }],
    not: { cooler_max_mm: 159 },
    tight: { cooler_max_mm: 165 },
  },
  radiator: {
    left: ['liquid-cooler', { radiator_mm: '240' }],
    right: ['case', { radiators_mm: ['120', '240'] }],
    not: { radiators_mm: ['120'] },
  },
  'supply-size': {
    left: ['power-supply', { form_factor: 'SFX' }],
    right: ['case', { supply_sizes: ['SFX', 'SFX-L'] }],
    not: { supply_sizes: ['TFX'] },
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
    left: ['storage-drive', { form_factor: '3.5"', interface: 'SATA' }],
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
    right: ['case', { bays_25: 1, bays_35: 1 }],
    not: { bays_25: 1, bays_35: 0 },
    units: 2,
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

describe.each(Object.entries(cases))(
  '%s',
  (id, { left, right, not, of = 'right', tight, units }) => {
    const rule = fitRules.find((each) => each.id === id) as FitRule
    const { level } = rule
    const read = fieldsOf(rule).filter((field) => !('only' in rule && rule.only?.field === field))
    const fieldsOn = ([kind, specs]: [string, Specs]) =>
      read.filter(
        (field) =>
          field.startsWith(`${kind}.`) &&
          Object.keys(without(specs, field)).length < Object.keys(specs).length,
      )
    const judged = (a: Specs, b: Specs) => verdictOf(id, part(left[0], a, units), part(right[0], b))

    test('fits, does not, and says what is missing on either side', () => {
      expect(judged(left[1], right[1])?.level).toBe('fits')
      const broken = of === 'left' ? judged(not, right[1]) : judged(left[1], not)
      expect([broken?.level, broken?.text]).toEqual([
        level,
        expect.not.stringMatching(/[{}]|undef/),
      ])
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
  },
)

describe('power', () => {
  const processor = part('processor', { power_limit_w: 160 })
  const card = part('graphics-card', { tdp_w: 300 })
  const board = part('motherboard', {})
  const supply = (wattage_w: number) => part('power-supply', { wattage_w })

  test('is summed from limits, and has a reserve', () => {
    expect(verdictOf('power', processor, card, board, supply(750))).toMatchObject({
      level: 'fits',
      text: 'Draws up to 500 of 750 W, 33 % to spare',
    })
    expect(levelOf('power', processor, card, board, supply(650))).toBe('warning')
    expect(levelOf('power', processor, card, board, supply(499))).toBe('problem')
  })

  test('counts parts that state no watts with those of docs/fit.md', () => {
    const draws = (...parts: FitPart[]) => drawOf(parts).draws.map(({ watts }) => watts)
    const drive = (type: string, connector: string) =>
      part('storage-drive', { type, interface: connector })
    expect(draws(board, part('memory-module', { modules: 2 }, 2))).toEqual([40, 20])
    expect(draws(drive('SSD', 'PCIe 4.0'), drive('SSD', 'SATA'))).toEqual([9, 4])
    expect(draws(drive('Hard drive', 'SATA'))).toEqual([11])
    expect(draws(part('fan', { pack: 3 }), part('liquid-cooler', {}))).toEqual([12, 5])
  })

  test('takes the TDP of a processor without a limit, and says so', () => {
    const plain = part('processor', { tdp_w: 65 })
    const lacks = [{ part: 0, field: 'processor.power_limit_w' }]
    expect(verdictOf('power', plain, supply(500))).toMatchObject({
      level: 'unknown',
      text: 'Draws up to 65 of 500 W, 87 % to spare (with its TDP, its limit is not known)',
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
  const plugs = (eight: number, six: number, sixteen: number) => ({
    ...{ plugs_8pin: eight, plugs_6pin: six, plugs_16pin: sixteen },
  })
  const card = (eight: number, six: number, sixteen: number, units = 1) =>
    part('graphics-card', { ...plugs(eight, six, sixteen), tdp_w: 250 }, units)
  const strong = (tdp_w?: number) =>
    part('graphics-card', { ...plugs(0, 0, 1), ...(tdp_w !== undefined && { tdp_w }) })
  const supply = (eight: number, six: number, sixteen: number) =>
    part('power-supply', plugs(eight, six, sixteen))

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
    // an adapter of a strong card needs more than two plugs
    ['tight', strong(450), supply(3, 0, 0)],
    ['problem', strong(451), supply(3, 0, 0)],
    ['unknown', strong(), supply(3, 0, 0)],
  ])('%s', (level, one, other) => {
    expect(levelOf('card-plugs', one, other)).toBe(level)
  })
})

test('a cooler and a picture come from one of several parts', () => {
  const others = wholeKinds
    .filter((kind) => kind !== 'processor')
    .map((kind) => part(kind, { wattage_w: 500 }))
  const whole = (specs: Specs, ...more: FitPart[]) => [part('processor', specs), ...others, ...more]
  const bare = { cooler: false, graphics: false }
  expect(levelOf('cooler', ...whole(bare))).toBe('problem')
  expect(levelOf('cooler', ...whole(bare, part('liquid-cooler', {})))).toBe('fits')
  expect(levelOf('cooler', ...whole({ cooler: true }))).toBe('fits')
  expect(levelOf('cooler', ...whole({}))).toBe('unknown')
  expect(levelOf('cooler', ...whole({}, part('tower-cooler', {})))).toBe('fits')
  expect(levelOf('picture', ...whole(bare))).toBe('problem')
  expect(levelOf('picture', ...whole(bare, part('graphics-card', {})))).toBe('fits')
  expect(levelOf('picture', ...whole({}))).toBe('unknown')
  // before a PC is whole, it is something to add
  expect(verdictOf('picture', part('processor', bare))).toBeUndefined()
  expect(missingOf([part('processor', bare)])).toEqual([
    ...others.map(({ kind }) => kind),
    'cooler',
    'picture',
  ])
  expect(missingOf(whole({ cooler: true, graphics: true }))).toEqual([])
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

test('what helps is said, and what is not stated but cannot matter is not asked for', () => {
  const sfx = part('power-supply', { form_factor: 'SFX' })
  expect(verdictOf('supply-size', sfx, part('case', { supply_sizes: ['ATX'] }))).toMatchObject({
    level: 'warning',
    text: expect.stringContaining('it needs a frame'),
  })
  const cooler = part('liquid-cooler', { sockets: ['LGA 1700'] })
  const on = (socket: string) =>
    levelOf('liquid-cooler-on-processor', part('processor', { socket }), cooler)
  expect([on('LGA 1851'), on('LGA 1200')]).toEqual(['fits', 'problem'])
  const memory = part('memory-module', { registered: false })
  const board = (socket: string) =>
    verdictOf('board-registered', part('motherboard', { socket }), memory)
  expect([board('AM5'), board('sTR5')?.level]).toEqual([undefined, 'unknown'])
  const drive = part('storage-drive', { form_factor: '2.5"' })
  expect(levelOf('bays', drive, part('case', { bays_35: 1 }))).toBe('fits')
  expect(levelOf('bays', drive, part('case', { bays_35: 0 }))).toBe('unknown')
  const stick = (of: string) => part('storage-drive', { form_factor: 'M.2 2280', interface: of })
  const slots = part('motherboard', { m2_slots: 2 })
  expect(levelOf('m2-sata', stick('SATA'), slots)).toBe('unknown')
  expect(levelOf('m2-sata', stick('PCIe 4.0'), slots)).toBeUndefined()
})

test('parts of two PCs are not judged, and one part alone is nothing', () => {
  const processor = named('Lodestone 7 9700X')
  expect(judge([{ ...processor, units: 2 }]).result).toBe('several')
  expect(judge([processor, named('Fluxgate 5 245')]).result).toBe('several')
  expect(judge([named('Chimney 120'), named('Brook 240')]).result).toBe('several')
  expect(judge([named('Vitrine ATX')]).result).toBe('nothing')
})

test('every rule has a case here, and reads fields that its kinds have', () => {
  const own = ['power', 'card-plugs', 'cooler', 'picture', 'bios', 'm2-sata']
  expect(fitRules.map(({ id }) => id).toSorted()).toEqual(
    [...Object.keys(cases), ...own].toSorted(),
  )
  const builtin = Object.fromEntries(
    Object.entries(builtinKinds).flatMap(([kind, { fields }]) =>
      Object.entries(fields).map(([key, { type, unit }]) => [
        `${slugOf(kind)}.${key}`,
        { type, unit: unit || undefined },
      ]),
    ),
  )
  for (const [ref, { type, ...field }] of Object.entries(fitFields))
    expect(builtin[ref], ref).toEqual({ type, unit: 'unit' in field ? field.unit : undefined })
  expect([...new Set(fitRules.flatMap(fieldsOf))].toSorted()).toEqual(
    Object.keys(fitFields).toSorted(),
  )
})

test('a candidate answers for itself alone, and takes the place of the part that is there', () => {
  const small = part('power-supply', { wattage_w: 100 })
  const hot = part('processor', { power_limit_w: 200, socket: 'AM5' })
  const fan = part('fan', { pack: 1 })
  // the supply is too small without the fan too
  expect(judge([small, hot, fan]).result).toBe('problem')
  expect(judgeCandidates([small, hot], 'fan')(fan)).toBeUndefined()
  // but another part that does not fit is no better than the first
  const short = part('case', { card_max_mm: 200 })
  const long = part('graphics-card', { length_mm: 300 })
  expect(judgeCandidates([short, long], 'graphics-card')(long)?.level).toBe('problem')
  const slim = part('case', { fan_sizes_mm: ['120'] })
  const wide = part('fan', { size_mm: 140 })
  expect(judgeCandidates([slim, wide], 'fan')(wide)?.level).toBe('problem')
  expect(judgeCandidates([{ ...slim, units: 2 }], 'fan')(wide)).toBeUndefined()
  const supply = judgeCandidates([small, hot, fan], 'power-supply')
  expect(supply(part('power-supply', { wattage_w: 900 }))?.level).toBe('fits')
  expect(supply(small)?.level).toBe('problem')
  const board = judgeCandidates([hot, part('motherboard', { socket: 'AM4' })], 'motherboard')
  expect(board(part('motherboard', { socket: 'AM5', chipset: 'B650' }))?.level).toBe('fits')
  // what is still to come is not held against it
  const next = judgeCandidates([part('motherboard', { socket: 'AM5' })], 'processor')
  const bare = { socket: 'AM5', cooler: false, graphics: false }
  expect(next(part('processor', bare))?.level).toBe('fits')
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
    ['radiator', 'unknown', 'Not enough data about Vitrine ATX: radiators'],
  ])
})

describe('builds of real parts, judged before by somebody who did not know the rules', () => {
  test.each(realBuilds)('$name', ({ parts, expected, findings }) => {
    const { verdicts, result } = judge(parts.map((each) => ({ units: 1, ...each })))
    expect([expected, 'unknown'], JSON.stringify(verdicts)).toContain(result)
    for (const { level, parts: about, why } of findings) {
      const same = verdicts.filter(
        (verdict) =>
          [level, 'unknown'].includes(verdict.level) &&
          // a finding may name the board where the rule names the processor on it
          verdict.parts.some((place) => about.includes(parts[place]?.name ?? '')),
      )
      if (level === 'problem' || level === 'note') expect(same, why).not.toEqual([])
    }
  })
})

test('most builds of real parts are judged: makers state enough of them', () => {
  const results = realBuilds.map(({ parts }) => judge(parts.map((each) => ({ units: 1, ...each }))))
  const unknown = results.filter(({ result }) => result === 'unknown')
  expect(unknown.length).toBeLessThan(realBuilds.length / 2)
})

test.each(demoBuilds)('the demo’s build $name is a whole PC that fits', ({ parts }) => {
  expect(judge(parts.map(named)).result).toBe('fits')
  expect(missingOf(parts.map(named))).toEqual([])
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
      const keys = Object.keys(part.specs).filter((each) =>
        read.has(`${part.kind}.${each}` as FieldRef),
      )
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
