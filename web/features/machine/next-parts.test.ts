import { expect, test } from 'vitest'
import type { BasketPart } from '#contracts/compare.ts'
import type { Specs } from '#contracts/kinds.ts'
import type { MachinePart } from '#contracts/machine.ts'
import { linesIn, nextParts } from './next-parts.ts'

const part = (kind: string, name: string, specs: Specs, more: Partial<MachinePart> = {}) =>
  ({
    ...{ _id: name, name, number: null, quantity: 1, isBought: false, isByFields: false },
    fit: { kind, specs },
    ...more,
  }) satisfies MachinePart

const board = (specs: Specs = {}) =>
  part('motherboard', 'Board', {
    ...{ memory_type: 'DDR5', memory_slots: 4, memory_max_gb: 128, m2_slots: 2, sata_ports: 4 },
    ...specs,
  })
const kit = (specs: Specs = {}, quantity = 1) =>
  part(
    'memory-module',
    'Kit',
    {
      type: 'DDR5',
      modules: 2,
      capacity_gb: 16,
      module_form: 'DIMM',
      ecc: false,
      registered: false,
      ...specs,
    },
    { number: 7, quantity },
  )
const inStock = [
  { number: 7, name: 'Kit', availableQuantity: 3, minimumOrderQuantity: 1 } as BasketPart,
]
const textsOf = (machine: MachinePart[], stock = inStock) =>
  nextParts(machine, stock).map(({ text }) => text)
const more = 'Two more memory modules of the same kit are in stock'
const form = { memory_form: 'DIMM', socket: 'AM5', memory_registered: false }

test('more of the same memory, only where its slots are known to be free and the shop has it', () => {
  const place = 'There’s room for 2 more M.2 drives'
  expect(textsOf([board(form), kit()])).toEqual([more, place])
  expect(textsOf([board(form), kit()], [])).toEqual([place])
  expect(textsOf([board(form), kit({}, 2)])).toEqual([place])
  expect(textsOf([board({ ...form, memory_max_gb: 24 }), kit()])).toEqual([place])
  // what is not stated is never called free
  const unknown = { memory_type: 'DDR5', memory_max_gb: 128, m2_slots: 2, ...form }
  expect(textsOf([part('motherboard', 'Board', unknown), kit()])).toEqual([place])
  expect(textsOf([kit()])).toEqual([])
  expect(textsOf([board(form), board(form), kit()])).toEqual([])
})

test('free places for drives, where board, case and supply state theirs', () => {
  const drive = part('storage-drive', 'Drive', {
    ...{ type: 'SSD', interface: 'PCIe 4.0', form_factor: 'M.2 2280' },
  })
  expect(textsOf([board(), drive])).toEqual(['There’s room for 1 more M.2 drive'])
  const supply = part('power-supply', 'Supply', { wattage_w: 650, sata_plugs: 3 })
  const box = part('case', 'Case', { bays_25: 2, bays_35: 1 })
  expect(textsOf([board(), supply, box])).toEqual([
    'There’s room for 2 more M.2 drives, or 3 more 2.5″ drives, or 1 more 3.5″ drive',
  ])
})

test('a stronger supply, where the reserve is small', () => {
  const processor = part('processor', 'Chip', { power_limit_w: 250, tdp_w: 125 })
  const weak = part('power-supply', 'Supply', { wattage_w: 300 })
  expect(textsOf([processor, weak])).toEqual([
    'A stronger power supply: Draws up to 250 of 300 W: 16 % to spare isn’t much',
  ])
  expect(textsOf([processor, part('power-supply', 'Supply', { wattage_w: 650 })])).toEqual([])
})

test('an address has each part of the catalogue once, at most twenty of them', () => {
  const many = Array.from({ length: 25 }, (_, i) =>
    part('fan', `Fan ${i}`, {}, { number: i < 2 ? 9 : 100 + i, quantity: 2 }),
  )
  const lines = linesIn([part('fan', 'Own fan', {}), ...many])
  expect(lines).toHaveLength(20)
  expect(lines[0]).toEqual({ number: 9, quantity: 4 })
})
