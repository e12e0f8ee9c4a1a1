import type { ReactNode } from 'react'
import type { PageFacts } from '#contracts/shop.ts'

/** The settings of the shop that the texts use. */
export type Facts = {
  shop: PageFacts
  /** For example 'USD'. */
  currency: string
  /** For example '30 minutes'. */
  holdTime: string
  /** What opening the payment does to a hold, a sentence; empty if nothing. */
  renewal: string
  expireDays: number
  /** Whether customers choose a way of delivery before they pay. */
  delivers: boolean
  /** True if no card is ever charged. */
  sandbox: boolean
  /** Whether users can continue with Google. */
  google: boolean
  /** Whether Firebase, a Google service, stores the accounts. */
  firebase: boolean
}

export type Section = { heading: string; body: ReactNode }

/**
 * One page of plain text. `lead` is also its description for search engines; `next` lists further
 * pages to read.
 */
export type TextPage = {
  path: string
  title: string
  lead: string
  sections: (facts: Facts) => Section[]
  next: string[]
}
