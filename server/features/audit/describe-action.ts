import { between } from '#contracts/kinds.ts'
import { dollars } from '#contracts/money.ts'
import { type PartField, partField, partFields } from '#contracts/parts.ts'

type Detail = Record<string, unknown>

const signed = (change: unknown) => `${Number(change) > 0 ? '+' : ''}${change}`
const isField = (name: string): name is PartField => Object.hasOwn(partFields, name)
const isObject = (value: unknown): value is Detail => typeof value === 'object' && value !== null

const notStated = 'not stated'
const textOf = (value: unknown) =>
  (Array.isArray(value) ? value.join(between) : String(value)) || notStated

/** One field of a part: 'Price: $100 → $120', or only that it changed where the values are no reading matter. */
function changeOf(name: string, { from, to }: Detail): string {
  if (name.startsWith('spec:'))
    return `${name.slice('spec:'.length)}: ${from ?? notStated} → ${to ?? notStated}`
  if (!isField(name)) return `${name}: ${from} → ${to}`
  const { label, format } = partField(name)
  if (format === 'picture' || format === 'text') return `${label} changed`
  if (format === 'dollars') return `${label}: ${dollars(Number(from))} → ${dollars(Number(to))}`
  return `${label}: ${textOf(from)} → ${textOf(to)}`
}

/** Describes an edit of a part: 'Price: $100 → $120, Stock: +5 (recount)'. */
function changes(detail: Detail): string {
  const edits = Object.entries(detail).flatMap(([name, value]) => {
    if (!isObject(value)) return []
    if (name === 'stock') return [`Stock: ${signed(value.change)} (${value.reason})`]
    return [changeOf(name, value)]
  })
  return edits.join(', ')
}

const reason = (detail: Detail) => `“${detail.reason}”`

/** Older entries have no amount. */
const dispute = ({ amount, reason, dueBy }: Detail) =>
  [
    ...(amount === undefined ? [] : [dollars(Number(amount))]),
    ...(reason ? [String(reason)] : []),
    ...(dueBy ? [`answer by ${String(dueBy).slice(0, 10)}`] : []),
  ].join(', ')

const notes: Record<string, (detail: Detail) => string> = {
  'part changed': changes,
  'part added': ({ price, availableQuantity }) =>
    `${dollars(Number(price))}, ${availableQuantity} in stock`,
  'part moved': ({ before }) => (before ? `before ${before}` : 'to the top'),
  'order shipped': ({ carrier, trackingNumber }) =>
    [carrier, trackingNumber].filter(Boolean).join(', '),
  'payment refunded': ({ amount, reason, restock }) =>
    [
      `${dollars(Number(amount))} given back`,
      ...(Number(restock) > 0 ? [`${restock} restocked`] : []),
      ...(reason ? [`“${reason}”`] : []),
    ].join(', '),
  'order expired': ({ days }) => `not paid within ${days === 1 ? 'a day' : `${days} days`}`,
  'payment disputed': dispute,
  'dispute won': dispute,
  'dispute lost': dispute,
  'dispute closed': dispute,
  'hold released': ({ quantity }) => `${quantity} back on the shelf`,
  'review hidden': reason,
  'review shown': reason,
  'account blocked': reason,
  'account unblocked': reason,
  'repair made': ({ outcome }) => String(outcome),
  'mail sent again': ({ subject, to }) => `“${subject}”${to ? ` to ${to}` : ''}`,
  'mail dismissed': ({ subject }) => `“${subject}”`,
  'refund failed': ({ amount, why }) => `${dollars(Number(amount))}: ${why}`,
}

/** Describes an action's details in one line; null when there are none. */
export function noteOf(action: string, detail: Detail): string | null {
  return notes[action]?.(detail) || null
}
