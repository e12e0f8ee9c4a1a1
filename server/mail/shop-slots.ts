import { html } from 'hono/html'
import { addressLines, type ShopFacts } from '#contracts/shop.ts'
import type { Mail, Mailer } from '#server/adapters/mail/port.ts'
import type { AttachPaper } from '#server/features/invoices/attach.ts'

/**
 * Where a mail names the shop. The queue keeps these marks; sending fills them in, so a mail says
 * what is so when it leaves.
 */
export const shopSlots = {
  name: '{shop name}',
  phone: '{shop phone}',
  email: '{shop e-mail}',
  /** The name and the address, in one line. */
  seller: '{shop seller}',
  /** Its lines, before another line; nothing without them. */
  signature: '{shop signature}',
  /** A line on a vacation that is now, before another line; nothing without one. */
  vacation: '{shop vacation}',
} as const

/** The shop's day of a moment, like "November 21, 2026". */
export const daySlot = (at: Date): string => `{shop day ${at.toISOString()}}`

const slot = new RegExp(Object.values(shopSlots).join('|'), 'g')
const dayIn = /\{shop day (\d{4}-[01]\d-[0-3]\dT[\d:.]+Z)\}/g

function dayText(at: string, timeZone: string): string {
  const moment = new Date(at)
  if (Number.isNaN(moment.getTime())) return at
  return moment.toLocaleDateString('en-US', { dateStyle: 'long', timeZone })
}

const awayLine = (lastDay: string) =>
  `We’re away until ${dayText(lastDay, 'UTC')} and will ship when we’re back.\n`

/** A text of a mail with what the shop says of itself. */
export function withFacts(text: string, facts: ShopFacts): string {
  const values: Record<string, string> = {
    [shopSlots.name]: facts.name,
    [shopSlots.phone]: facts.phone,
    [shopSlots.email]: facts.email,
    [shopSlots.seller]: addressLines(facts).join(', '),
    [shopSlots.signature]: facts.mailSignature && `${facts.mailSignature}\n`,
    [shopSlots.vacation]: facts.vacationTo && awayLine(facts.vacationTo),
  }
  return text
    .replaceAll(slot, (mark) => values[mark] ?? '')
    .replaceAll(dayIn, (_, at: string) => dayText(at, facts.timeZone))
}

const asHtml = (facts: ShopFacts) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, String(html`${value}`)]),
  ) as ShopFacts

/** A mail that says what the shop says of itself now. */
export const withShop = <M extends Pick<Mail, 'subject' | 'text' | 'html'>>(
  mail: M,
  facts: ShopFacts,
): M => ({
  ...mail,
  subject: withFacts(mail.subject, facts),
  text: withFacts(mail.text, facts),
  html: withFacts(mail.html, asHtml(facts)),
})

/** A mailer that fills in what the shop says of itself, and attaches the mail's paper. */
export type ShopMailer = Pick<Mailer, 'verify'> & {
  send(mail: Mail & { invoiceId: string | null }): Promise<void>
}

export const mailerOf = (
  mailer: Mailer,
  { facts, attachPaper }: { facts: () => Promise<ShopFacts>; attachPaper: AttachPaper },
): ShopMailer => ({
  verify: () => mailer.verify(),
  send: async ({ invoiceId, ...mail }) => {
    const shop = await facts()
    const attachment = invoiceId ? await attachPaper(invoiceId) : null
    const sender = { senderName: shop.name, replyTo: shop.email }
    return mailer.send({ ...withShop(mail, shop), ...sender, attachment })
  },
})
