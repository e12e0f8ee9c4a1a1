import { dollars } from '#contracts/money.ts'

type Detail = Record<string, unknown>

const titles: Record<string, string> = {
  name: 'Name',
  kind: 'Kind',
  image: 'Image',
  description: 'Description',
  minimumOrderQuantity: 'Minimum order quantity',
  price: 'Price',
}
/** Longer or no reading matter: that they changed is all that is said. */
const unsaid = new Set(['image', 'description'])

const written = (name: string, value: unknown) =>
  name === 'price' ? dollars(Number(value)) : String(value)
const signed = (change: unknown) => `${Number(change) > 0 ? '+' : ''}${change}`
const isObject = (value: unknown): value is Detail => typeof value === 'object' && value !== null

/** What an edit of a part changed: 'Price: $100 → $120, Stock: +5 (recount)'. */
function changes(detail: Detail): string {
  const edits = Object.entries(detail).flatMap(([name, value]) => {
    if (!isObject(value)) return []
    if (name === 'stock') return [`Stock: ${signed(value.change)} (${value.reason})`]
    const title = titles[name] ?? name
    if (unsaid.has(name)) return [`${title} changed`]
    return [`${title}: ${written(name, value.from)} → ${written(name, value.to)}`]
  })
  return edits.join(', ')
}

const reason = (detail: Detail) => `“${detail.reason}”`

/** Lines of before name no amount. */
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
  'order shipped': ({ carrier, trackingNumber }) =>
    [carrier, trackingNumber].filter(Boolean).join(', '),
  'order refunded': ({ amount, reason, restock }) =>
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

/** An action's details in one line for people; null when there is nothing to add. */
export function noteOf(action: string, detail: Detail): string | null {
  return notes[action]?.(detail) || null
}
