/** Why a charge is refused, in the words of the real service. */
export type Decline = {
  code: string
  declineCode?: string
  message: string
  param?: string
  blocked?: boolean
}

/** What becomes of a payment made with a test card. */
export type Outcome = {
  challenge?: boolean
  decline?: Decline
  disputed?: boolean
  /** What becomes later of a refund, when it does not simply succeed. */
  refund?: 'refundFails' | 'refundWaits'
}

const declined = (declineCode: string, message = 'Your card was declined.'): Outcome => ({
  decline: { code: 'card_declined', declineCode, message },
})

const insufficient = declined('insufficient_funds', 'Your card has insufficient funds.')

/** Outcomes by name; a payment method stores the name, never the number. */
export const outcomes: Record<string, Outcome> = {
  success: {},
  genericDecline: declined('generic_decline'),
  insufficientFunds: insufficient,
  lostCard: declined('lost_card'),
  stolenCard: declined('stolen_card'),
  velocityExceeded: declined(
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  expiredCard: {
    decline: { code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' },
  },
  incorrectCvc: {
    decline: {
      code: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
      param: 'cvc',
    },
  },
  processingError: {
    decline: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  fraudulent: {
    decline: {
      code: 'card_declined',
      declineCode: 'fraudulent',
      message: 'Your card was declined.',
      blocked: true,
    },
  },
  disputed: { disputed: true },
  refundFails: { refund: 'refundFails' },
  refundWaits: { refund: 'refundWaits' },
  challenge: { challenge: true },
  challengeThenInsufficientFunds: { challenge: true, ...insufficient },
  challengeThenDecline: { challenge: true, ...declined('generic_decline') },
}

export type Card = { outcome: string; brand: string; funding: 'credit' | 'debit'; country: string }

const card = (outcome: string, brand = 'visa', funding: Card['funding'] = 'credit'): Card => ({
  outcome,
  brand,
  funding,
  country: 'US',
})

/** The published test numbers. No other number is accepted, so no real card can end up here. */
export const testCards: Readonly<Record<string, Card>> = {
  4242424242424242: card('success'),
  4000056655665556: card('success', 'visa', 'debit'),
  5555555555554444: card('success', 'mastercard'),
  2223003122003222: card('success', 'mastercard'),
  5200828282828210: card('success', 'mastercard', 'debit'),
  5105105105105100: card('success', 'mastercard'),
  378282246310005: card('success', 'amex'),
  371449635398431: card('success', 'amex'),
  6011111111111117: card('success', 'discover'),
  30569309025904: card('success', 'diners'),
  36227206271667: card('success', 'diners'),
  3566002020360505: card('success', 'jcb'),
  6200000000000005: card('success', 'unionpay'),
  4000000000000002: card('genericDecline'),
  4000000000009995: card('insufficientFunds'),
  4000000000009987: card('lostCard'),
  4000000000009979: card('stolenCard'),
  4000000000006975: card('velocityExceeded'),
  4000000000000069: card('expiredCard'),
  4000000000000127: card('incorrectCvc'),
  4000000000000119: card('processingError'),
  4100000000000019: card('fraudulent'),
  4000000000000259: card('disputed'),
  4000000000005126: card('refundFails'),
  4000000000007726: card('refundWaits'),
  4000002500003155: card('challenge'),
  4000002760003184: card('challenge'),
  4000000000003220: card('challenge'),
  4000000000003063: card('challenge'),
  4000008260003178: card('challengeThenInsufficientFunds'),
  4000008400001629: card('challengeThenDecline'),
  4000000000000341: card('genericDecline'),
}

/** The check digit rule of card numbers. */
export function luhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return digits.length > 11 && sum % 10 === 0
}
