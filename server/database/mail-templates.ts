type MailTemplate = {
  /**
   * Which mails go first: those that a customer waits for with the page open, then those about
   * money.
   */
  urgency: 'account' | 'money' | 'later'
  /**
   * Who can cause the mail, which decides its limit: 'anyone' who enters an address, or a
   * 'customer' who is logged in. Mails with 'shop' have no limit.
   */
  causedBy: 'anyone' | 'customer' | 'shop'
}

/**
 * The mail templates. The trigger `bound_mails` uses the same names: it limits mails that others
 * can cause, and sets their order. CONTRIBUTING.md describes how to add one.
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
  'order-note': { urgency: 'later', causedBy: 'shop' },
  'ticket-opened': { urgency: 'money', causedBy: 'shop' },
  'ticket-answered': { urgency: 'later', causedBy: 'shop' },
  'question-received': { urgency: 'later', causedBy: 'customer' },
  'withdrawal-link': { urgency: 'account', causedBy: 'customer' },
  'key-made': { urgency: 'later', causedBy: 'shop' },
  'second-factor': { urgency: 'later', causedBy: 'customer' },
  'owner-paid': { urgency: 'later', causedBy: 'shop' },
  'owner-canceled': { urgency: 'later', causedBy: 'shop' },
  'owner-ticket': { urgency: 'later', causedBy: 'shop' },
  'owner-address': { urgency: 'later', causedBy: 'shop' },
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
