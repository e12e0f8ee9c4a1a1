type MailTemplate = {
  /** Which goes first, when mails wait: what a customer waits for with the page open, then what is about money. */
  urgency: 'account' | 'money' | 'later'
  /**
   * Who can cause it, so what bounds it: 'anyone' who types an address, 'customer' who is logged in. The shop's own, and what an
   * admin does, have no bound.
   */
  causedBy: 'anyone' | 'customer' | 'shop'
}

/**
 * The templates of mails. A trigger (`bound_mails`) knows them by the same words: it bounds what can be caused by others, and
 * says which goes first. CONTRIBUTING.md shows what a new one takes.
 */
export const mailTemplates = {
  'verify-email': { urgency: 'account', causedBy: 'anyone' },
  'change-email': { urgency: 'account', causedBy: 'anyone' },
  'reset-password': { urgency: 'account', causedBy: 'anyone' },
  'password-changed': { urgency: 'account', causedBy: 'customer' },
  'address-changed': { urgency: 'account', causedBy: 'customer' },
  'order-booked': { urgency: 'later', causedBy: 'customer' },
  'hold-ended': { urgency: 'later', causedBy: 'customer' },
  'order-ending': { urgency: 'later', causedBy: 'customer' },
  'payment-reminder': { urgency: 'later', causedBy: 'customer' },
  'queue-offer': { urgency: 'later', causedBy: 'customer' },
  'queue-ended': { urgency: 'later', causedBy: 'customer' },
  'order-paid': { urgency: 'money', causedBy: 'shop' },
  'order-shipped': { urgency: 'money', causedBy: 'shop' },
  'order-refunded': { urgency: 'money', causedBy: 'shop' },
  'refund-failed': { urgency: 'money', causedBy: 'shop' },
  'payment-returned': { urgency: 'money', causedBy: 'shop' },
  'order-deleted': { urgency: 'later', causedBy: 'shop' },
  'shipment-corrected': { urgency: 'later', causedBy: 'shop' },
  'key-made': { urgency: 'later', causedBy: 'shop' },
  'owner-paid': { urgency: 'later', causedBy: 'shop' },
  'owner-dispute': { urgency: 'later', causedBy: 'shop' },
  'owner-refund-failed': { urgency: 'later', causedBy: 'shop' },
  'owner-low-stock': { urgency: 'later', causedBy: 'shop' },
  'owner-issue': { urgency: 'later', causedBy: 'shop' },
  'owner-health': { urgency: 'later', causedBy: 'shop' },
  'owner-webhook-off': { urgency: 'later', causedBy: 'shop' },
  test: { urgency: 'later', causedBy: 'shop' },
} as const satisfies Record<string, MailTemplate>

export type MailTemplateName = keyof typeof mailTemplates
export const mailTemplateNames = Object.keys(mailTemplates) as [
  MailTemplateName,
  ...MailTemplateName[],
]
