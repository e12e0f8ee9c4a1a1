/** Mails about tickets. Each leads to its thread. */
import {
  hasEnded,
  type TicketState,
  type TicketType,
  ticketTypes,
} from '#contracts/ticket-rules.ts'
import { withdrawalLinkHours } from '#contracts/tickets.ts'
import type { Transaction } from '#server/database/client.ts'
import { queueMail, queueOwnerMail } from '#server/database/mail-queue.ts'
import { shopSlots } from './shop-slots.ts'
import { type Fact, mailTemplate } from './template.ts'

/** Where mails lead, and how they prove it for customers without an account. */
export type TicketMailDeps = {
  publicUrl: string
  /** OWNER_MAIL; null for the first admin. */
  ownerMail: string | null
  ticketKeys: { ofTicket(ticketId: string): string; ofWithdrawal(checkoutId: string): string }
}

export type AboutTicket = {
  _id: string
  number: string
  type: TicketType
  name: string
  email: string
  /** Whether its customer reads it with a login. */
  hasAccount: boolean
  /** The order that keeps the mail with an account, if any. */
  orderId?: string | undefined
  lines: { quantity: number; product: string; number: string }[]
}

/** Whether it names no order: anybody can ask, with an account of any address, too. */
const isOutside = ({ orderId }: AboutTicket) => !orderId

/** A stranger may have typed the name, and the address of somebody else. */
const greeted = (ticket: AboutTicket) => (isOutside(ticket) ? {} : { name: ticket.name })

/** A moment to the minute, which no time zone changes. */
const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const factsOf = ({ number, type, lines }: AboutTicket): Fact[] => [
  [ticketTypes[type], number],
  ...lines.map((line): Fact => [line.number, `${line.quantity} × ${line.product}`]),
]

function threadOf({ _id, hasAccount }: AboutTicket, { publicUrl, ticketKeys }: TicketMailDeps) {
  const url = hasAccount
    ? `${publicUrl}/dashboard/ticket/${_id}`
    : `${publicUrl}/ticket/${_id}#${ticketKeys.ofTicket(_id)}`
  return { label: 'Read and reply', url }
}

/** Acknowledges a ticket to its customer, with date and time. */
export async function mailTicketOpened(
  deps: TicketMailDeps,
  tx: Transaction,
  ticket: AboutTicket,
  at: Date,
): Promise<void> {
  const { type, number, email, orderId } = ticket
  const isWithdrawal = type === 'withdrawal'
  const mail = mailTemplate({
    subject: isWithdrawal
      ? `We have received your withdrawal ${number}`
      : `We have received your message ${number}`,
    ...greeted(ticket),
    lines: [
      isWithdrawal
        ? `You withdrew from the purchase of the items below. We received your declaration on ${moment(at)}.`
        : `We received it on ${moment(at)} and will get back to you.`,
    ],
    facts: factsOf(ticket),
    action: threadOf(ticket, deps),
  })
  await queueMail(tx, {
    template: isOutside(ticket) ? 'question-received' : 'ticket-opened',
    recipient: email,
    ...(orderId && { orderId }),
    // a stranger may ask in the name of an address: it gets one such mail an hour
    dedupe: isOutside(ticket)
      ? `question received ${email} ${at.toISOString().slice(0, 13)}`
      : `ticket opened ${ticket._id}`,
    ...mail,
  })
}

const newState: Record<TicketState, string> = {
  asked: 'It’s open again.',
  accepted: 'We’ve accepted it.',
  'on its way': 'It’s on its way.',
  received: 'What you sent back has arrived.',
  settled: 'It’s settled.',
  refused: 'Sorry, we can’t do what you asked for.',
}

/** Tells its customer what the shop answered, or made of it. */
export async function mailTicketAnswered(
  deps: TicketMailDeps,
  tx: Transaction,
  ticket: AboutTicket,
  { messageId, state, text }: { messageId: string; state: TicketState | null; text: string },
): Promise<void> {
  const { number, email, orderId } = ticket
  const mail = mailTemplate({
    subject: `${ticketTypes[ticket.type]} ${number}: ${state && !text ? newState[state] : 'our answer'}`,
    ...greeted(ticket),
    lines: [...(state ? [newState[state]] : []), ...text.split(/\n+/)].filter(Boolean),
    facts: factsOf(ticket),
    action: threadOf(ticket, deps),
    ...(state && hasEnded(state) && { end: 'Anything else? Just reply below it.' }),
  })
  await queueMail(tx, {
    template: 'ticket-answered',
    recipient: email,
    ...(orderId && { orderId }),
    dedupe: `ticket message ${messageId}`,
    ...mail,
  })
}

/**
 * Tells the owner of a new ticket or message: once an hour for a customer, and for all questions
 * without an order together.
 */
export async function mailOwnerTicket(
  { publicUrl, ownerMail }: TicketMailDeps,
  tx: Transaction,
  ticket: AboutTicket,
): Promise<void> {
  const { _id, number, type, name, email, orderId } = ticket
  const outside = isOutside(ticket)
  const hour = new Date().toISOString().slice(0, 13)
  const mail = mailTemplate({
    subject: outside
      ? 'You have a new question'
      : `${ticketTypes[type]} ${number} is waiting for you`,
    lines: [
      outside
        ? 'Someone sent a question without an order. We won’t email you about more of these within the hour.'
        : `${name} wrote to you. We won’t email you about more from this customer within the hour.`,
    ],
    facts: outside ? [] : factsOf(ticket),
    action: {
      label: 'Read and reply',
      url: outside ? `${publicUrl}/dashboard/tickets` : `${publicUrl}/dashboard/ticket/${_id}`,
    },
  })
  await queueOwnerMail(tx, ownerMail, {
    template: 'owner-ticket',
    dedupe: `owner ticket ${outside ? 'questions' : email} ${hour}`,
    ...(orderId && { orderId }),
    ...mail,
  })
}

/** Sends the link with which a customer withdraws from an order without a login, once an hour. */
export async function mailWithdrawalLink(
  { publicUrl, ticketKeys }: TicketMailDeps,
  tx: Transaction,
  {
    checkoutId,
    orderId,
    email,
    name,
    number,
  }: Record<'checkoutId' | 'orderId' | 'email' | 'name' | 'number', string>,
): Promise<void> {
  const hour = new Date().toISOString().slice(0, 13)
  const mail = mailTemplate({
    subject: `Withdraw from order ${number}`,
    name,
    lines: [
      `Someone, probably you, asked to withdraw from this purchase at ${shopSlots.name}. Nothing has happened yet: use this link to choose what you’re sending back. It works for ${withdrawalLinkHours} hours.`,
    ],
    facts: [['Order', number]],
    action: {
      label: 'Withdraw from the purchase',
      url: `${publicUrl}/withdraw#${ticketKeys.ofWithdrawal(checkoutId)}`,
    },
    end: 'If it wasn’t you, you don’t have to do anything.',
  })
  await queueMail(tx, {
    template: 'withdrawal-link',
    recipient: email,
    orderId,
    dedupe: `withdrawal ${checkoutId} ${hour}`,
    ...mail,
  })
}
