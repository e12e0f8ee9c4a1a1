import type { SpecField } from './kinds.ts'

type FitField = Pick<SpecField, 'type'> & {
  unit?: string
  /** Its words in 'does not state …' and in the owner's choice of a field. */
  says: string
}

/**
 * The fields that the rules of fit read, by the slug of their kind and their key. The shop's own
 * kinds have them (server/database/seed/kinds.ts); a field of the owner's can stand for one.
 */
export const fitFields = {
  'processor.socket': { type: 'one', says: 'socket' },
  'processor.architecture': { type: 'one', says: 'architecture' },
  'processor.memory_types': { type: 'many', says: 'types of memory' },
  'processor.power_limit_w': { type: 'number', unit: 'W', says: 'power limit' },
  'processor.tdp_w': { type: 'number', unit: 'W', says: 'TDP' },
  'processor.cooler': { type: 'yes', says: 'a cooler in the box' },
  'processor.graphics': { type: 'yes', says: 'graphics on board' },
  'motherboard.socket': { type: 'one', says: 'socket' },
  'motherboard.chipset': { type: 'one', says: 'chipset' },
  'motherboard.form_factor': { type: 'one', says: 'form factor' },
  'motherboard.memory_type': { type: 'one', says: 'type of memory' },
  'motherboard.memory_form': { type: 'one', says: 'form of memory' },
  'motherboard.memory_ecc': { type: 'yes', says: 'ECC memory' },
  'motherboard.memory_registered': { type: 'yes', says: 'registered memory' },
  'motherboard.memory_slots': { type: 'number', says: 'memory slots' },
  'motherboard.memory_max_gb': { type: 'number', unit: 'GB', says: 'largest memory' },
  'motherboard.plugs_at_back': { type: 'yes', says: 'plugs at the back' },
  'motherboard.eps_plugs': { type: 'number', says: 'EPS plugs' },
  'motherboard.m2_slots': { type: 'number', says: 'M.2 slots' },
  'motherboard.sata_ports': { type: 'number', says: 'SATA ports' },
  'motherboard.fan_headers': { type: 'number', says: 'fan headers' },
  'memory-module.type': { type: 'one', says: 'type' },
  'memory-module.module_form': { type: 'one', says: 'form' },
  'memory-module.ecc': { type: 'yes', says: 'ECC' },
  'memory-module.registered': { type: 'yes', says: 'whether it is registered' },
  'memory-module.modules': { type: 'number', says: 'modules' },
  'memory-module.capacity_gb': { type: 'number', unit: 'GB', says: 'capacity of a module' },
  'memory-module.height_mm': { type: 'number', unit: 'mm', says: 'height' },
  'graphics-card.length_mm': { type: 'number', unit: 'mm', says: 'length' },
  'graphics-card.slots': { type: 'number', says: 'slots' },
  'graphics-card.tdp_w': { type: 'number', unit: 'W', says: 'power' },
  'graphics-card.plugs_16pin': { type: 'number', says: '16-pin plugs' },
  'graphics-card.plugs_8pin': { type: 'number', says: '8-pin plugs' },
  'graphics-card.plugs_6pin': { type: 'number', says: '6-pin plugs' },
  'storage-drive.type': { type: 'one', says: 'type' },
  'storage-drive.interface': { type: 'one', says: 'interface' },
  'storage-drive.form_factor': { type: 'one', says: 'form factor' },
  'power-supply.wattage_w': { type: 'number', unit: 'W', says: 'power' },
  'power-supply.form_factor': { type: 'one', says: 'form factor' },
  'power-supply.length_mm': { type: 'number', unit: 'mm', says: 'length' },
  'power-supply.plugs_16pin': { type: 'number', says: '16-pin plugs' },
  'power-supply.plugs_8pin': { type: 'number', says: '8-pin plugs' },
  'power-supply.plugs_6pin': { type: 'number', says: '6-pin plugs' },
  'power-supply.eps_plugs': { type: 'number', says: 'EPS plugs' },
  'power-supply.sata_plugs': { type: 'number', says: 'SATA plugs' },
  'case.boards': { type: 'many', says: 'boards' },
  'case.plugs_at_back': { type: 'yes', says: 'whether it is cut for plugs at the back' },
  'case.card_max_mm': { type: 'number', unit: 'mm', says: 'longest card' },
  'case.slots': { type: 'number', says: 'slots' },
  'case.cooler_max_mm': { type: 'number', unit: 'mm', says: 'tallest cooler' },
  'case.radiators_mm': { type: 'many', says: 'radiators' },
  'case.supply_sizes': { type: 'many', says: 'sizes of supplies' },
  'case.supply_max_mm': { type: 'number', unit: 'mm', says: 'longest supply' },
  'case.fan_places': { type: 'number', says: 'fan places' },
  'case.fan_sizes_mm': { type: 'many', says: 'fan sizes' },
  'case.bays_35': { type: 'number', says: '3.5″ bays' },
  'case.bays_25': { type: 'number', says: '2.5″ bays' },
  'tower-cooler.sockets': { type: 'many', says: 'sockets' },
  'tower-cooler.height_mm': { type: 'number', unit: 'mm', says: 'height' },
  'tower-cooler.memory_below_mm': { type: 'number', unit: 'mm', says: 'room for memory below it' },
  'tower-cooler.cools_w': { type: 'number', unit: 'W', says: 'what it cools' },
  'liquid-cooler.sockets': { type: 'many', says: 'sockets' },
  'liquid-cooler.radiator_mm': { type: 'one', says: 'radiator' },
  'liquid-cooler.cools_w': { type: 'number', unit: 'W', says: 'what it cools' },
  'fan.size_mm': { type: 'number', unit: 'mm', says: 'size' },
  'fan.pack': { type: 'number', says: 'fans in the pack' },
} as const satisfies Record<string, FitField>

/** Such a field by slug and key: 'graphics-card.length_mm'. */
export type FieldRef = keyof typeof fitFields

export const isFieldRef = (ref: string): ref is FieldRef => Object.hasOwn(fitFields, ref)

/** The slug of the kind that a field is of, and its key there. */
export const kindOf = (ref: FieldRef): string => ref.slice(0, ref.indexOf('.'))
export const keyOf = (ref: FieldRef): string => ref.slice(ref.indexOf('.') + 1)

/** A kind of the rules in words, from its slug. */
export const kindWords = (slug: string): string => slug.replaceAll('-', ' ')

/** A field of the rules in words: 'graphics card: length (mm)'. */
export function fieldWords(ref: FieldRef): string {
  const { says, unit }: FitField = fitFields[ref]
  return `${kindWords(kindOf(ref))}: ${says}${unit ? ` (${unit})` : ''}`
}

/** Whether a field of an owner's may stand for one of the rules: its values have to mean the same. */
export function mayStandFor(
  { type, unit }: Pick<SpecField, 'type' | 'unit'>,
  ref: FieldRef,
): boolean {
  const known: FitField = fitFields[ref]
  return known.type === type && (known.unit ?? '') === unit
}
