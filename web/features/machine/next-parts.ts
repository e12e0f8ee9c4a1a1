/** What a machine could become next. All of it follows from the rules of fit, judged with the part. */
import { type BasketLine, basketIn, basketText } from '#contracts/basket.ts'
import type { BasketPart } from '#contracts/compare.ts'
import { counted } from '#contracts/counted.ts'
import { type FitPart, fitPartsOf, judge } from '#contracts/fit.ts'
import { keyOf } from '#contracts/fit-fields.ts'
import { fitRules, type TotalRule } from '#contracts/fit-rules.ts'
import type { MachinePart } from '#contracts/machine.ts'

/** The parts of a machine that rules know. */
export const fitPartsIn = (machine: readonly MachinePart[]): FitPart[] =>
  fitPartsOf(machine.map((part) => ({ quantity: part.quantity, part })))

/** The parts of the catalogue that rules know, as in an address: each once, as many as it holds. */
export function linesIn(machine: readonly MachinePart[]): BasketLine[] {
  const units = new Map<number, number>()
  for (const { number, fit, quantity } of machine)
    if (number !== null && fit) units.set(number, (units.get(number) ?? 0) + quantity)
  return basketIn(basketText([...units].map(([number, quantity]) => ({ number, quantity }))))
}

/** What to look at next. `kind` is that of the list to choose from; `part` the part itself. */
export type NextPart = {
  text: string
  kind: string
  part?: Pick<BasketPart, 'number' | 'name'>
}

/** The rules that count what parts like this one take. */
const roomRules = ({ kind, specs }: FitPart) =>
  fitRules.filter(
    (rule): rule is TotalRule =>
      rule.is === 'total' &&
      rule.kind === kind &&
      (!rule.where || rule.where.values.includes(String(specs[keyOf(rule.where.field)]))),
  )

const isBlamed = (level: string) => ['problem', 'warning', 'unknown'].includes(level)

/**
 * Whether a machine has room for one more part: each rule that counts such parts has its data and
 * says so, and no other says worse than without it.
 */
export function hasRoom(parts: readonly FitPart[], more: FitPart): boolean {
  const before = judge(parts).verdicts
  const after = judge([...parts, more]).verdicts.filter(({ parts: of }) =>
    of.includes(parts.length),
  )
  const isIn = (id: string) => after.some(({ rule, level }) => rule === id && level === 'fits')
  return (
    roomRules(more).every(({ id }) => isIn(id)) &&
    after.every(
      ({ rule, level }) =>
        !isBlamed(level) || before.some((each) => each.rule === rule && each.level === level),
    )
  )
}

const numbers = ['', 'One', 'Two', 'Three', 'Four']

/** More of the memory that is in it, if it is in stock. */
function moreMemory(machine: readonly MachinePart[], stock: readonly BasketPart[]): NextPart[] {
  const parts = fitPartsIn(machine)
  const kits = new Map(machine.map((part) => [part.number, part]))
  return [...kits.values()].flatMap((kit): NextPart[] => {
    const sold = stock.find(({ number }) => number === kit.number)
    if (kit.fit?.kind !== 'memory-module' || !sold) return []
    const units = sold.minimumOrderQuantity
    const more = { ...kit.fit, name: kit.name, units }
    if (sold.availableQuantity < units || !hasRoom(parts, more)) return []
    const modules = Number(kit.fit.specs.modules) * units
    const many = numbers[modules] ?? String(modules)
    const text = `${many} more memory ${modules === 1 ? 'module' : 'modules'} of the same kit ${modules === 1 ? 'is' : 'are'} in stock`
    return [{ text, kind: 'memory-module', part: sold }]
  })
}

/** Drives as they are sold, by what a place for one is called. */
const drives: { name: string; specs: FitPart['specs'] }[] = [
  {
    name: 'M.2 drive',
    specs: { type: 'SSD', form_factor: 'M.2 2280', interface: 'PCIe 4.0' },
  },
  { name: '2.5″ drive', specs: { type: 'SSD', form_factor: '2.5"', interface: 'SATA' } },
  { name: '3.5″ drive', specs: { type: 'Hard drive', form_factor: '3.5"', interface: 'SATA' } },
]
/** More than any PC has places for. */
const most = 20

/** The free places for drives, each kind of them alone. */
function moreDrives(parts: readonly FitPart[]): NextPart[] {
  const free = drives.flatMap(({ name, specs }) => {
    const drive = { kind: 'storage-drive', name, specs }
    let units = 0
    while (units < most && hasRoom(parts, { ...drive, units: units + 1 })) units += 1
    return units > 0 ? [counted(units, `more ${name}`)] : []
  })
  return free.length > 0
    ? [{ text: `There’s room for ${free.join(', or ')}`, kind: 'storage-drive' }]
    : []
}

/** A stronger supply, if the one that is there has little or no reserve. */
function strongerSupply(parts: readonly FitPart[]): NextPart[] {
  const power = judge(parts).verdicts.find(
    ({ rule, level }) => rule === 'power' && (level === 'warning' || level === 'problem'),
  )
  return power ? [{ text: `A stronger power supply: ${power.text}`, kind: 'power-supply' }] : []
}

/** @param stock the parts of the machine that are on sale */
export function nextParts(
  machine: readonly MachinePart[],
  stock: readonly BasketPart[],
): NextPart[] {
  const parts = fitPartsIn(machine)
  return [...moreMemory(machine, stock), ...moreDrives(parts), ...strongerSupply(parts)]
}
