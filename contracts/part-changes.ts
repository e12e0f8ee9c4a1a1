/** Describes changes of a part, for the audit log and the preview of an import. */
import { valueSeparator } from './kinds.ts'
import { type Currency, money } from './money.ts'
import { type PartField, partField, partFields } from './parts.ts'

/** The values of a field before and after a change; null when empty. */
export type Change = { from: unknown; to: unknown }
/** Changes by field. A value of the specification has the key `spec:` plus its label. */
export type Differences = Record<string, Change>

const isField = (name: string): name is PartField => Object.hasOwn(partFields, name)

const notStated = 'empty'
const textOf = (value: unknown) =>
  (Array.isArray(value) ? value.join(valueSeparator) : String(value)) || notStated

/**
 * Describes the change of one field: 'Price: $100 → $120', or only that it changed if the values
 * are too long or not readable.
 */
export function changeText(name: string, { from, to }: Change, currency: Currency): string {
  if (name.startsWith('spec:'))
    return `${name.slice('spec:'.length)}: ${from ?? notStated} → ${to ?? notStated}`
  if (!isField(name)) return `${name}: ${from} → ${to}`
  const { label, format } = partField(name)
  if (format === 'picture' || format === 'pictures' || format === 'text') return `${label} changed`
  if (format === 'amount')
    return `${label}: ${money(Number(from), currency)} → ${money(Number(to), currency)}`
  return `${label}: ${textOf(from)} → ${textOf(to)}`
}
