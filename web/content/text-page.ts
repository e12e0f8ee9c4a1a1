import type { ReactNode } from 'react'

/** What the texts may say about the shop they belong to, from its settings. */
export type Facts = {
  /** 'USD' */
  currency: string
  /** '30 minutes' */
  holdTime: string
  /** For how long a hold can be renewed: '60 minutes'. */
  longestHold: string
  expireDays: number
  /** True while no card is ever charged. */
  sandbox: boolean
  /** Can people continue with Google? */
  google: boolean
  /** Are accounts kept by Firebase, a service of Google? */
  firebase: boolean
}

export type Section = { heading: string; body: ReactNode }

/** One page of plain text: `lead` is also its description for search engines, `next` are paths worth reading after it. */
export type TextPage = {
  path: string
  title: string
  lead: string
  sections: (facts: Facts) => Section[]
  next: string[]
}
