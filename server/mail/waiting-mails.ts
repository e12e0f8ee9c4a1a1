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
        `You waited for ${wantedQuantity}. For now that is ${quantity} at a time, because you have not paid for more before. Book and pay that, and you can have as many again.`,
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
    subject: 'It is back, and set aside for you',
    name: place.customer,
    lines: [
      'You waited for this part, and now it is your turn.',
      `We keep it for you for ${hoursText(hours)}. Book it in that time: after that it goes to the next who waits, and others go first for a while.`,
      ...fewerLines(place),
    ],
    facts: [
      ...requestedFacts(place),
      ['Price today', money(totalPriceOf(place.quantity, place.price), shop.currency)],
    ],
    action: seePart(place, shop, 'Book it now'),
    end: 'If you do not want it any more, leave the queue on the same page, and the next customer gets it sooner.',
  })
  return { template: 'queue-offer', ...mail }
}

/** Announces that an offer and its queue place have ended unused. */
export function offerEndedMail(place: WaitedFor, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your offer has ended',
    name: place.customer,
    lines: [
      'You did not book it in time, so it went to the next who waits, and your place in the queue ended.',
      'If you still want it, you can join the queue again. Others go first for a while.',
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
    subject: 'Your place in the queue has ended',
    name: place.customer,
    lines: [
      isOffered
        ? 'We took our offer back, and your place in the queue ended.'
        : 'We ended your place in the queue of this part.',
      `If you still want it, you can join the queue again.${isOffered ? ' Others go first for a while.' : ''}`,
    ],
    facts: requestedFacts(place),
    action: seePart(place, shop, 'See the part'),
  })
  return { template: 'queue-ended', ...mail }
}

/** Announces that the shop no longer sells the part that the customer waited for. */
export function noLongerSoldMail(place: WaitedFor, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'A part that you waited for is no longer sold',
    name: place.customer,
    lines: ['We do not sell this part any more, so your place in its queue ended.'],
    facts: requestedFacts(place),
    action: { label: 'See what we have', url: shop.publicUrl },
  })
  return { template: 'queue-ended', ...mail }
}
