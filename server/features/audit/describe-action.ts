import { counted } from '#contracts/counted.ts'
import { type Currency, money } from '#contracts/money.ts'
import { changeText } from '#contracts/part-changes.ts'

type Detail = Record<string, unknown>

const signed = (change: unknown) => `${Number(change) > 0 ? '+' : ''}${change}`
const isObject = (value: unknown): value is Detail => typeof value === 'object' && value !== null

/** Describes an edit of a part: 'Price: $100 → $120, Stock: +5 (recount)'. */
function changes(detail: Detail, currency: Currency): string {
  const edits = Object.entries(detail).flatMap(([name, value]) => {
    if (!isObject(value)) return []
    if (name === 'stock') return [`Stock: ${signed(value.change)} (${value.reason})`]
    return [changeText(name, { from: value.from, to: value.to }, currency)]
  })
  return edits.join(', ')
}

const reason = (detail: Detail) => `“${detail.reason}”`

/** Describes a dispute. Older entries have no amount. */
const dispute = ({ amount, reason, dueBy }: Detail, currency: Currency) =>
  [
    ...(amount === undefined ? [] : [money(Number(amount), currency)]),
    ...(reason ? [String(reason)] : []),
    ...(dueBy ? [`answer by ${String(dueBy).slice(0, 10)}`] : []),
  ].join(', ')

const address = ({ url }: Detail) => String(url)

const shipment = ({ carrier, trackingNumber }: Detail) =>
  [carrier, trackingNumber].filter(Boolean).join(', ')

/** A text of several lines, or none. */
const oneLine = (text: string) => text.replaceAll('\n', ', ') || 'nothing'

/** The name of a way of delivery, or of a build. */
const nameOf = ({ name }: Detail) => String(name)

const ticket = ({ number, type, state }: Detail) => [number, type, state].filter(Boolean).join(', ')

const goods = ({ quantity, delivery }: Detail) => `${quantity} of ${delivery}`

const notes: Record<string, (detail: Detail, currency: Currency) => string> = {
  'part changed': changes,
  'part added': ({ price, availableQuantity }, currency) =>
    `${money(Number(price), currency)}, ${availableQuantity} in stock`,
  'supplier saved': ({ name }) => String(name),
  'part moved': ({ before, after }) =>
    before
      ? `before ${before}`
      : after
        ? `after ${after}`
        : after === null
          ? 'to the end'
          : 'to the top',
  'goods expected': goods,
  'goods received': goods,
  'goods canceled': goods,
  'serial numbers noted': ({ from, to }) =>
    [from, to].map((list) => oneLine(String(list))).join(' → '),
  'ticket opened': ticket,
  'ticket answered': ticket,
  'order shipped': shipment,
  'shipment corrected': ({ from, to }) =>
    [from, to].map((one) => shipment(one as Detail) || 'not stated').join(' → '),
  'payment refunded': ({ amount, reason, restock, isShipping }, currency) =>
    [
      `${money(Number(amount), currency)}${isShipping ? ' of the shipping' : ''} refunded`,
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
  'session ended': ({ device }) => String(device || 'an unknown device'),
  'account blocked': reason,
  'account unblocked': reason,
  'account released': ({ holds, offers, places }) =>
    `${counted(Number(holds), 'hold')}, ${counted(Number(offers), 'offer')}, ${counted(Number(places), 'place')}`,
  'repair made': ({ outcome }) => String(outcome),
  'mail sent again': ({ subject, to }) => `“${subject}”${to ? ` to ${to}` : ''}`,
  'mail dismissed': ({ subject }) => `“${subject}”`,
  'search word changed': ({ word, from, to }) =>
    `${word}: ${from ?? 'nothing'} → ${to === null ? 'forgotten' : to || 'says nothing'}`,
  'API key made': ({ name, scopes, end }) => `${name}: ${scopes}, until ${end}`,
  'API key revoked': ({ name }) => String(name),
  'kind added': ({ kind }) => String(kind),
  'kind removed': ({ kind }) => String(kind),
  'kind changed': ({ kind, changes }) => `${kind}: ${(changes as string[]).join(', ')}`,
  'settings changed': ({ changes }) =>
    (changes as { label: string; from: string; to: string }[])
      .map(({ label, from, to }) => `${label}: ${oneLine(from)} → ${oneLine(to)}`)
      .join('; '),
  // a page with a title is the owner's own
  'text changed': ({ page, title, length }) =>
    length === 0
      ? `/${page}: ${title ? `“${title}” removed` : 'standard text'}`
      : `/${page}: ${counted(Number(length), 'character')}`,
  'slide changed': ({ slide, title }) => `${slide}: ${title ? `“${title}”` : 'standard slide'}`,
  'build offered': nameOf,
  'build withdrawn': nameOf,
  'shipping method added': nameOf,
  'shipping method changed': nameOf,
  'shipping method deleted': nameOf,
  'webhook added': ({ url, events }) => `${url}: ${(events as string[]).join(', ')}`,
  'webhook changed': ({ url, events, isOn }) =>
    `${url}: ${isOn ? (events as string[]).join(', ') : 'switched off'}`,
  'webhook deleted': address,
  'webhook secret changed': address,
  'webhook tested': address,
  'webhook message sent again': address,
  'refund failed': ({ amount, why }, currency) => `${money(Number(amount), currency)}: ${why}`,
}

/** Describes an action's details in one line; null when there are none. */
export function noteOf(action: string, detail: Detail, currency: Currency): string | null {
  return notes[action]?.(detail, currency) || null
}
