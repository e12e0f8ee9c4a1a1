/**
 * Keys in links of mails, for customers without a login. They are derived from the shop's secret, so
 * that the database alone makes none; pages have them behind the `#`, which reaches no log.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { withdrawalLinkHours } from '#contracts/tickets.ts'

export type TicketKeys = {
  /** Proves that a ticket is the holder's. */
  ofTicket(ticketId: string): string
  isOfTicket(key: string, ticketId: string): boolean
  /** Lets its holder withdraw from a checkout, for a day. */
  ofWithdrawal(checkoutId: string): string
  /** @returns the checkout's id; null for a key that is false or too old */
  checkoutOf(key: string): string | null
}

const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** @param secret 32 bytes, for this purpose alone */
export function ticketKeys(secret: Buffer): TicketKeys {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  const ofTicket = (ticketId: string) => sign(`ticket ${ticketId}`)
  const withdrawal = (checkoutId: string, until: string) =>
    `${checkoutId}.${until}.${sign(`withdrawal ${checkoutId} ${until}`)}`
  return {
    ofTicket,
    isOfTicket: (key, ticketId) => isSame(key, ofTicket(ticketId)),
    ofWithdrawal: (checkoutId) =>
      withdrawal(checkoutId, (Date.now() + withdrawalLinkHours * 3_600_000).toString(36)),
    checkoutOf(key) {
      const [checkoutId = '', until = ''] = key.split('.')
      const isCurrent = Number.parseInt(until, 36) > Date.now()
      return isCurrent && isSame(key, withdrawal(checkoutId, until)) ? checkoutId : null
    },
  }
}
