/**
 * The kinds of parts of a PC, by their slugs, for the rules of fit. Imports nothing, so that lists
 * stay small.
 */

/** Each of these belongs to a whole PC. */
export const wholeKinds = [
  'processor',
  'motherboard',
  'memory-module',
  'storage-drive',
  'power-supply',
  'case',
] as const

export const coolerKinds = ['tower-cooler', 'liquid-cooler'] as const

/** The kinds of which a PC has a single part. */
export const singleKinds: readonly (readonly string[])[] = [
  ['processor'],
  ['motherboard'],
  ['power-supply'],
  ['case'],
  coolerKinds,
]

/** Those, and what people change rather than add to. */
const changedKinds = [...singleKinds, ['graphics-card'], ['memory-module']]

/** The kinds of parts whose place a part of this kind takes when it is chosen for a PC. */
export const replacedBy = (kind: string): readonly string[] =>
  changedKinds.find((kinds) => kinds.includes(kind)) ?? []

/** The places of a PC in the order in which people choose its parts, and the kinds for each. */
export const slots = [
  { name: 'Processor', kinds: ['processor'] },
  { name: 'Cooler', kinds: coolerKinds },
  { name: 'Board', kinds: ['motherboard'] },
  { name: 'Memory', kinds: ['memory-module'] },
  { name: 'Graphics card', kinds: ['graphics-card'] },
  { name: 'Drives', kinds: ['storage-drive'] },
  { name: 'Power supply', kinds: ['power-supply'] },
  { name: 'Case', kinds: ['case'] },
  { name: 'Fans', kinds: ['fan'] },
] as const

/** The place for a kind, in the address of the build: its section's id. */
export const slotId = (kind: string): string =>
  slots.find(({ kinds }) => kinds.some((each) => each === kind))?.kinds[0] ?? ''
