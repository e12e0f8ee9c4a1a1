/** Mails to customers who wait for a sold-out part. */
import { counted } from '#contracts/counted.ts'
import { money, totalPriceOf } from '#contracts/money.ts'
import type { MailingShop, MailText } from './order-mails.ts'
import { type Fact, mailTemplate } from './template.ts'

/** The data of a queue place in mails; `price` is today's. */
type WaitedFor = {
  partId: string
  product: string
  price: number
  quantity: number
  /** How many the customer waited for, when fewer are offered. */
  wantedQuantity?: number | null
  customer: string
}

const requestedFacts = ({ product, quantity }: WaitedFor): Fact[] => [
  ['Product', product],
  ['Quantity', String(quantity)],
]
/** Explains why fewer are offered than the customer waited for, and how they get the others. */
const fewerLines = ({ quantity, wantedQuantity }: WaitedFor): string[] =>
  wantedQuantity
    ? [
        `You asked for ${wantedQuantity}. For now, you can get ${quantity} at a time, because you haven’t paid for more before. Book and pay for that, and you can get as many again.`,
      ]
    : []
const seePart = ({ partId }: WaitedFor, { publicUrl }: MailingShop, label: string) => ({
  label,
  url: `${publicUrl}/purchase/${partId}`,
})

/** The duration of an offer in words: '12 hours', '30 minutes'. */
function hoursText(hours: number): string {
  const [count, unit] = hours < 1 ? [hours * 60, 'minute'] : [hours, 'hour']
  return counted(Math.max(1, Math.floor(count)), unit)
}

/** Announces that the part is available again and set aside for the customer. */
export function offerMail(place: WaitedFor, shop: MailingShop, hours: number): MailText {
  const mail = mailTemplate({
    subject: 'Back in stock, and set aside for you',
    name: place.customer,
    lines: [
      'You’ve been waiting for this part, and now it’s your turn.',
      `We’ll keep it for you for ${hoursText(hours)}. Book it before then. After that, it goes to the next in line, and others go ahead of you for a while.`,
      ...fewerLines(place),
    ],
    facts: [
      ...requestedFacts(place),
      ['Today’s price', money(totalPriceOf(place.quantity, place.price), shop.currency)],
    ],
    action: seePart(place, shop, 'Book it now'),
    end: 'No longer want it? Leave the queue on the same page, and the next customer gets it sooner.',
  })
  return { template: 'queue-offer', ...mail }
}

/** Announces that an offer and its queue place have ended unused. */
export function offerEndedMail(place: WaitedFor, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your offer has ended',
    name: place.customer,
    lines: [
      'You didn’t book it in time, so it went to the next in line, and you lost your place in the queue.',
      'If you still want it, you can join the queue again. Others go ahead of you for a while.',
    ],
    facts: requestedFacts(place),
    action: seePart(place, shop, 'See the part'),
  })
  return { template: 'queue-ended', ...mail }
}

/**
 * Announces that an admin ended a queue place. @param isOffered whether it was the customer's turn
 */
export function placeReleasedMail(
  place: WaitedFor,
  isOffered: boolean,
  shop: MailingShop,
): MailText {
  const mail = mailTemplate({
    subject: 'You have lost your place in the queue',
    name: place.customer,
    lines: [
      isOffered
        ? 'We withdrew our offer, and you lost your place in the queue.'
        : 'We ended your place in the queue for this part.',
      `If you still want it, you can join the queue again.${isOffered ? ' Others go ahead of you for a while.' : ''}`,
    ],
    facts: requestedFacts(place),
    action: seePart(place, shop, 'See the part'),
  })
  return { template: 'queue-ended', ...mail }
}

/** Announces that the shop no longer sells the part that the customer waited for. */
export function noLongerSoldMail(place: WaitedFor, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'A part you were waiting for is no longer sold',
    name: place.customer,
    lines: ['We no longer sell this part, so its queue has closed.'],
    facts: requestedFacts(place),
    action: { label: 'Browse our parts', url: shop.publicUrl },
  })
  return { template: 'queue-ended', ...mail }
}
