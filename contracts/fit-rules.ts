/**
 * What has to fit in a PC, as rows of data: `fit.ts` judges by them, in browser and server alike.
 * Sources of the limits: docs/fit.md.
 */

import { type FieldRef, kindWords } from './fit-fields.ts'
import { coolerKinds } from './pc-kinds.ts'

/** What a rule says of parts that break it. A note breaks nothing. */
export type RuleLevel = 'problem' | 'warning' | 'note'

/** Words with places: {left} and {right} are names of parts, {a} and {b} their values. */
type Words = { fits: string; not: string }

/** `name` is what the owner's pages call the rule. */
type Row = { id: string; name: string; level: RuleLevel } & Words

/**
 * Compares a field of each part of one kind with a field of each of another: the same value, a
 * value among those of the right, or a number that is at most that of the right.
 */
export type CompareRule = Row & {
  is: 'same' | 'among' | 'at most'
  left: FieldRef
  right: FieldRef
  /** Read instead of `left` where that is not stated, with these words. */
  instead?: { field: FieldRef; says: string }
  /** It fits tightly when so little or less is left, in the unit of the field. */
  near?: number
  /** A part of this kind in the PC makes the rule needless. */
  unless?: string
  /** Beyond the limit by so much or less is only a note. */
  noteBelow?: number
  /** Values in whose place each other one of its group does too. */
  alike?: readonly (readonly string[])[]
  /** Values that need something where the right has `to`: a warning with these words. */
  adapts?: { from: readonly string[]; to: string; says: string }
}

/** Asks for a yes of the right where the left says yes; who needs nothing asks for nothing. */
export type NeedRule = Row & {
  is: 'need'
  left: FieldRef
  right: FieldRef
  /** The left part needs nothing if it has one of these values. */
  except?: { field: FieldRef; values: readonly string[] }
}

/**
 * Adds what parts of a kind take, and compares it with what the parts on the right have together.
 * Only parts whose `where` field has one of the values are counted.
 */
export type TotalRule = Row & {
  is: 'total'
  kind: string
  /** The numbers that one unit takes, multiplied; none: one. */
  takes: readonly FieldRef[]
  where?: { field: FieldRef; values: readonly string[] }
  /** Fields that the counted parts must state, because the rule supposes their usual value. */
  asks?: readonly FieldRef[]
  has: readonly FieldRef[]
}

/** Asks for one of these: a part that says yes, or a part of a kind. */
export type OneOfRule = Row & { is: 'one of'; of: FieldRef; or: readonly string[] }

/** Notes pairs of values that need something, or do not work. What is not stated is no pair. */
export type PairRule = {
  id: string
  name: string
  is: 'pair'
  left: FieldRef
  right: FieldRef
  /** The rule counts only for these values of the left part, whose pairs are all known. */
  only?: { field: FieldRef; values: readonly string[] }
  level: RuleLevel | 'unknown'
  pairs: readonly { left: readonly string[]; right: readonly string[] | 'any' }[]
} & Words

/** Compares what the PC draws with what the supply gives (`watts`). */
export type PowerRule = Row & { is: 'power'; tight: string; reserve: number }

/** Compares the plugs of all graphics cards with those of the supply. */
export type PlugsRule = Row & { is: 'plugs'; tight: string }

export type FitRule =
  | CompareRule
  | NeedRule
  | TotalRule
  | OneOfRule
  | PairRule
  | PowerRule
  | PlugsRule

/** Watts of what states none: docs/fit.md. */
export const watts = {
  board: 40,
  memoryModule: 5,
  nvme: 9,
  sataSsd: 4,
  hardDrive: 11,
  fan: 4,
  pump: 5,
  /** What an 8-pin plug of a graphics card may carry. */
  eightPinPlug: 150,
} as const

const drives = (
  id: string,
  name: string,
  what: string,
  sizes: readonly string[],
  has: readonly FieldRef[],
  level: RuleLevel = 'problem',
) =>
  ({
    id,
    name,
    is: 'total',
    level,
    kind: 'storage-drive',
    takes: [],
    where: { field: 'storage-drive.form_factor', values: sizes },
    has,
    fits: `{a} of {b} ${what} are taken`,
    not: `{a} drives need ${what}, and {right} has {b}`,
  }) as const satisfies FitRule

const m2 = ['M.2 2230', 'M.2 2242', 'M.2 2280'] as const
const large = ['2.5"', '3.5"'] as const

/** Sockets whose boards take no registered memory. */
const plainSockets = [
  'AM4',
  'AM5',
  'LGA 1151 (300 series)',
  'LGA 1151 (100 and 200 series)',
  'LGA 1200',
  'LGA 1700',
  'LGA 1851',
] as const

/** Sockets with the same holes and height: coolers for one go on the other. */
const mountings = [
  ['LGA 1151 (300 series)', 'LGA 1151 (100 and 200 series)', 'LGA 1200'],
  ['LGA 1700', 'LGA 1851'],
] as const

const ofCoolers = coolerKinds.flatMap((kind) => [
  {
    id: `${kind}-on-processor`,
    name: `Socket of the ${kindWords(kind)}`,
    is: 'among',
    level: 'problem',
    left: 'processor.socket',
    right: `${kind}.sockets`,
    alike: mountings,
    fits: '{right} goes on {a}',
    not: '{right} does not go on {a}, the socket of {left}',
  } as const,
  {
    id: `${kind}-on-board`,
    name: `Socket of the ${kindWords(kind)}, without a processor`,
    is: 'among',
    level: 'problem',
    left: 'motherboard.socket',
    right: `${kind}.sockets`,
    alike: mountings,
    unless: 'processor',
    fits: '{right} goes on {a}',
    not: '{right} does not go on {a}, the socket of {left}',
  } as const,
  {
    id: `${kind}-strength`,
    name: `Strength of the ${kindWords(kind)}`,
    is: 'at most',
    level: 'warning',
    left: 'processor.power_limit_w',
    instead: { field: 'processor.tdp_w', says: 'its TDP; its limit isn’t known' },
    right: `${kind}.cools_w`,
    fits: '{right} cools {b} W, {left} takes {a} W',
    not: '{right} cools {b} W; {left} can draw up to {a} W, so it will run slower or louder',
  } as const,
])

export const fitRules: readonly FitRule[] = [
  {
    id: 'socket',
    name: 'Processor in the board',
    is: 'same',
    level: 'problem',
    left: 'processor.socket',
    right: 'motherboard.socket',
    fits: '{left} goes into {right}: both are {a}',
    not: '{left} is {a}, {right} is {b}',
  },
  {
    id: 'chipset',
    name: 'Chipset for the processor',
    is: 'pair',
    level: 'problem',
    left: 'processor.architecture',
    right: 'motherboard.chipset',
    only: { field: 'processor.socket', values: ['AM4', 'LGA 1200'] },
    pairs: [
      { left: ['Rocket Lake'], right: ['H410', 'B460'] },
      { left: ['Zen', 'Zen+'], right: ['A520', 'B550'] },
      { left: ['Zen'], right: ['X570'] },
    ],
    fits: '{right} supports {left}',
    not: '{right} ({b}) doesn’t support {left} ({a})',
  },
  {
    id: 'bios',
    name: 'BIOS for the processor',
    is: 'pair',
    level: 'note',
    left: 'processor.architecture',
    right: 'motherboard.chipset',
    pairs: [
      { left: ['Zen 3'], right: ['A320', 'B350', 'X370', 'B450', 'X470', 'A520', 'B550', 'X570'] },
      { left: ['Zen 5'], right: ['A620', 'B650', 'B650E', 'X670', 'X670E'] },
      { left: ['Raptor Lake', 'Raptor Lake Refresh'], right: ['H610', 'B660', 'H670', 'Z690'] },
      { left: ['Raptor Lake Refresh'], right: ['B760', 'H770', 'Z790'] },
      { left: ['Rocket Lake'], right: ['H470', 'Z490'] },
    ],
    fits: '',
    not: 'Ask us whether {right} needs a newer BIOS for {left}',
  },
  {
    id: 'memory-type',
    name: 'Type of memory',
    is: 'same',
    level: 'problem',
    left: 'memory-module.type',
    right: 'motherboard.memory_type',
    fits: '{left} and {right} are both {a}',
    not: '{left} is {a}, {right} takes {b}',
  },
  {
    id: 'memory-of-processor',
    name: 'Type of memory and processor',
    is: 'among',
    level: 'problem',
    left: 'memory-module.type',
    right: 'processor.memory_types',
    // the board is what decides
    unless: 'motherboard',
    fits: '{right} takes {a}',
    not: '{left} is {a}, {right} takes {b}',
  },
  {
    id: 'memory-form',
    name: 'Form of memory',
    is: 'same',
    level: 'problem',
    left: 'memory-module.module_form',
    right: 'motherboard.memory_form',
    fits: '{left} and {right} are both {a}',
    not: '{left} is {a}, {right} takes {b}',
  },
  {
    id: 'memory-ecc',
    name: 'Memory with ECC',
    is: 'need',
    level: 'warning',
    left: 'memory-module.ecc',
    right: 'motherboard.memory_ecc',
    fits: '{right} uses the ECC of {left}',
    not: '{left} has ECC, which {right} doesn’t use',
  },
  {
    id: 'memory-registered',
    name: 'Registered memory in the board',
    is: 'need',
    level: 'problem',
    left: 'memory-module.registered',
    right: 'motherboard.memory_registered',
    fits: '{right} takes registered memory',
    not: '{left} is registered, which {right} doesn’t take',
  },
  {
    id: 'board-registered',
    name: 'Boards for registered memory',
    is: 'need',
    level: 'problem',
    left: 'motherboard.memory_registered',
    right: 'memory-module.registered',
    except: { field: 'motherboard.socket', values: plainSockets },
    fits: '{right} is registered, as {left} requires',
    not: '{left} takes registered memory only, which {right} is not',
  },
  {
    id: 'memory-slots',
    name: 'Memory slots',
    is: 'total',
    level: 'problem',
    kind: 'memory-module',
    takes: ['memory-module.modules'],
    has: ['motherboard.memory_slots'],
    fits: '{a} of {b} memory slots are taken',
    not: '{a} modules need a slot each, and {right} has {b}',
  },
  {
    id: 'memory-capacity',
    name: 'Largest memory',
    is: 'total',
    level: 'problem',
    kind: 'memory-module',
    takes: ['memory-module.capacity_gb'],
    has: ['motherboard.memory_max_gb'],
    fits: '{right} takes {b} GB, this is {a} GB',
    not: 'The memory is {a} GB; {right} takes at most {b} GB',
  },
  {
    id: 'memory-below-cooler',
    name: 'Memory below the cooler',
    is: 'at most',
    level: 'warning',
    left: 'memory-module.height_mm',
    right: 'tower-cooler.memory_below_mm',
    fits: '{left} is {a} mm tall; there are {b} mm below {right}',
    not: '{left} is {a} mm tall, and there are only {b} mm below {right}, so they may collide',
  },
  {
    id: 'board-in-case',
    name: 'Board in the case',
    is: 'among',
    level: 'problem',
    left: 'motherboard.form_factor',
    right: 'case.boards',
    fits: '{right} takes {a} boards',
    not: '{left} is {a}; {right} takes {b}',
  },
  {
    id: 'plugs-at-back',
    name: 'Boards with plugs at the back',
    is: 'need',
    level: 'problem',
    left: 'motherboard.plugs_at_back',
    right: 'case.plugs_at_back',
    fits: '{right} has cutouts for the plugs of {left}',
    not: '{left} has its plugs at the back, and {right} has no cutouts for them',
  },
  {
    id: 'card-length',
    name: 'Length of the graphics card',
    is: 'at most',
    level: 'problem',
    left: 'graphics-card.length_mm',
    right: 'case.card_max_mm',
    near: 10,
    fits: '{left} is {a} mm long, {right} takes {b} mm',
    not: '{left} is {a} mm long; {right} takes cards up to {b} mm',
  },
  {
    id: 'card-slots',
    name: 'Slots of the graphics card',
    is: 'total',
    level: 'problem',
    kind: 'graphics-card',
    takes: ['graphics-card.slots'],
    has: ['case.slots'],
    fits: '{a} of {b} slots are taken',
    not: '{a} slots are needed, and {right} has {b}',
  },
  ...ofCoolers,
  {
    id: 'cooler-height',
    name: 'Height of the tower cooler',
    is: 'at most',
    level: 'problem',
    left: 'tower-cooler.height_mm',
    right: 'case.cooler_max_mm',
    near: 5,
    fits: '{left} is {a} mm tall, {right} takes {b} mm',
    not: '{left} is {a} mm tall; {right} takes coolers up to {b} mm',
  },
  {
    id: 'radiator',
    name: 'Radiator in the case',
    is: 'among',
    level: 'problem',
    left: 'liquid-cooler.radiator_mm',
    right: 'case.radiators_mm',
    fits: '{right} takes radiators of {a} mm',
    not: 'The radiator of {left} is {a} mm; {right} takes {b} mm',
  },
  {
    id: 'supply-size',
    name: 'Size of the power supply',
    is: 'among',
    level: 'problem',
    left: 'power-supply.form_factor',
    right: 'case.supply_sizes',
    adapts: {
      from: ['SFX', 'SFX-L'],
      to: 'ATX',
      says: '{left} is {a}: in {right} it needs a frame, and its cables are short',
    },
    fits: '{right} takes {a} supplies',
    not: '{left} is {a}; {right} takes {b}',
  },
  {
    id: 'supply-length',
    name: 'Length of the power supply',
    is: 'at most',
    level: 'problem',
    left: 'power-supply.length_mm',
    right: 'case.supply_max_mm',
    fits: '{left} is {a} mm long, {right} takes {b} mm',
    not: '{left} is {a} mm long; {right} takes supplies up to {b} mm',
  },
  {
    id: 'power',
    name: 'Watts of the power supply',
    is: 'power',
    level: 'problem',
    reserve: 25,
    fits: 'Draws up to {a} of {b} W, {c} % to spare',
    tight: 'Draws up to {a} of {b} W: {c} % to spare isn’t much',
    not: 'Draws up to {a} W, {most} W of that for {left}; {right} supplies {b} W',
  },
  {
    id: 'card-plugs',
    name: 'Plugs for the graphics card',
    is: 'plugs',
    level: 'problem',
    fits: '{right} has the plugs of {left}',
    tight: '{right} has no 16-pin plug for {left}: {c} 8-pin plugs and an adapter will do',
    not: '{left} needs {a}; {right} has {b}',
  },
  {
    id: 'processor-plugs',
    name: 'Plugs for the processor',
    is: 'at most',
    level: 'warning',
    left: 'motherboard.eps_plugs',
    right: 'power-supply.eps_plugs',
    noteBelow: 1,
    fits: '{right} has the EPS plugs of {left}',
    not: '{left} has {a} EPS sockets, {right} has {b} plugs for them; small processors need one',
  },
  drives('m2-slots', 'M.2 slots', 'M.2 slots', m2, ['motherboard.m2_slots']),
  {
    ...drives('sata-ports', 'SATA ports', 'SATA ports', large, ['motherboard.sata_ports']),
    asks: ['storage-drive.interface'],
  },
  {
    id: 'm2-sata',
    name: 'SATA drives in M.2 slots',
    is: 'pair',
    level: 'unknown',
    left: 'storage-drive.interface',
    right: 'motherboard.m2_slots',
    only: {
      field: 'storage-drive.form_factor',
      values: m2,
    },
    pairs: [{ left: ['SATA'], right: 'any' }],
    fits: '',
    not: 'Not enough data: {left} is SATA, and it isn’t known which M.2 slots of {right} take that',
  },
  drives(
    'sata-plugs',
    'SATA plugs of the power supply',
    'SATA plugs',
    large,
    ['power-supply.sata_plugs'],
    'warning',
  ),
  drives('large-bays', 'Bays for 3.5″ drives', '3.5″ bays', ['3.5"'], ['case.bays_35']),
  drives('bays', 'Bays for all drives', 'bays', large, ['case.bays_25', 'case.bays_35']),
  {
    id: 'fan-headers',
    name: 'Fan headers',
    is: 'total',
    level: 'warning',
    kind: 'fan',
    takes: ['fan.pack'],
    has: ['motherboard.fan_headers'],
    fits: '{a} of {b} fan headers are taken',
    not: '{a} fans need a header each, and {right} has {b}: use splitters',
  },
  {
    id: 'fan-places',
    name: 'Places for fans',
    is: 'total',
    level: 'warning',
    kind: 'fan',
    takes: ['fan.pack'],
    has: ['case.fan_places'],
    fits: '{a} of {b} fan places are taken',
    not: '{a} fans need a place each, and {right} has {b}',
  },
  {
    id: 'fan-size',
    name: 'Size of the fans',
    is: 'among',
    level: 'problem',
    left: 'fan.size_mm',
    right: 'case.fan_sizes_mm',
    fits: '{right} takes fans of {a} mm',
    not: '{left} is {a} mm; {right} takes fans of {b} mm',
  },
  {
    id: 'cooler',
    name: 'A cooler for the processor',
    is: 'one of',
    level: 'problem',
    of: 'processor.cooler',
    or: coolerKinds,
    fits: 'The processor is cooled',
    not: '{left} comes without a cooler, and you haven’t chosen one',
  },
  {
    id: 'picture',
    name: 'Something that makes a picture',
    is: 'one of',
    level: 'problem',
    of: 'processor.graphics',
    or: ['graphics-card'],
    fits: 'Something drives the screen',
    not: '{left} has no built-in graphics, and you haven’t chosen a graphics card: nothing drives the screen',
  },
]

/** The fields that a rule reads. */
export function fieldsOf(rule: FitRule): FieldRef[] {
  switch (rule.is) {
    case 'same':
    case 'among':
    case 'at most':
      return [rule.left, rule.right, ...(rule.instead ? [rule.instead.field] : [])]
    case 'need':
      return [rule.left, rule.right, ...(rule.except ? [rule.except.field] : [])]
    case 'pair':
      return [rule.left, rule.right, ...(rule.only ? [rule.only.field] : [])]
    case 'total':
      return [
        ...rule.takes,
        ...rule.has,
        ...(rule.where ? [rule.where.field] : []),
        ...(rule.asks ?? []),
      ]
    case 'one of':
      return [rule.of]
    case 'power':
      return [
        'processor.power_limit_w',
        'processor.tdp_w',
        'graphics-card.tdp_w',
        'memory-module.modules',
        'storage-drive.type',
        'storage-drive.interface',
        'fan.pack',
        'power-supply.wattage_w',
      ]
    case 'plugs':
      return (['plugs_8pin', 'plugs_6pin', 'plugs_16pin'] as const).flatMap((plug): FieldRef[] => [
        `graphics-card.${plug}`,
        `power-supply.${plug}`,
      ])
  }
}

/**
 * The fields without which a rule has not enough data. Of what it reads, this leaves out what is
 * read in place of another, or only to spare parts the question.
 */
export function neededOf(rule: FitRule): FieldRef[] {
  const spare: readonly (FieldRef | undefined)[] =
    rule.is === 'power'
      ? ['processor.tdp_w']
      : rule.is === 'need'
        ? [rule.except?.field]
        : rule.is === 'pair'
          ? [rule.only?.field]
          : 'instead' in rule
            ? [rule.instead?.field]
            : []
  return fieldsOf(rule).filter((ref) => !spare.includes(ref))
}

/** The names of the rules that read one of these fields, in the order of the rules. */
export const rulesReading = (refs: readonly string[]): string[] =>
  fitRules.flatMap((rule) => (fieldsOf(rule).some((ref) => refs.includes(ref)) ? [rule.name] : []))
