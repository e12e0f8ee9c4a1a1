/** What a new shop still needs before it opens. Each step is ticked by what is so. */
import { z } from 'zod'

type Step = {
  title: string
  /** What to do; steps without a page are done on the server. */
  advice: string
  to?: string
  /** Some shops need none: nobody is asked for it once the others are done. */
  isOptional?: true
}

/** The steps in their order. */
export const firstSteps = {
  admin: {
    title: 'An account of your own',
    advice:
      'Sign up with your own address; then make that account an admin under ‘Manage all users’.',
    to: '/dashboard/users',
  },
  name: {
    title: 'The name of your shop',
    advice: 'Pages and mails have it at once.',
    to: '/dashboard/settings',
  },
  contact: {
    title: 'Owner, address and contact',
    advice: 'They stand in the imprint, in mails and on the contact page.',
    to: '/dashboard/settings',
  },
  texts: {
    title: 'Your terms of use',
    advice: 'Write your own, and read the other pages of text: they stand in your name, too.',
    to: '/dashboard/settings/texts/terms',
  },
  delivery: {
    title: 'Delivery',
    advice:
      'Add the ways in which parcels reach customers, and what they cost. Without any, you agree with each by phone.',
    to: '/dashboard/settings',
    isOptional: true,
  },
  tax: {
    title: 'Tax',
    advice:
      'Say which tax your prices include, or which comes on top. Without one, papers name none.',
    to: '/dashboard/settings',
    isOptional: true,
  },
  parts: {
    title: 'Your first part',
    advice: 'Add one by hand, or import the file of a supplier.',
    to: '/dashboard/addProduct',
  },
  mail: { title: 'Mail', advice: 'Give the shop a mail server: SMTP_URL.' },
  cards: {
    title: 'Cards',
    advice: 'Connect the shop to Stripe with live keys: the three STRIPE_ settings.',
  },
  backup: { title: 'Backup', advice: 'Have one made every night: npm run backup.' },
  live: {
    title: 'Demonstration removed',
    advice: 'Remove its parts, reviews, orders and owner: npm run go-live.',
  },
} as const satisfies Record<string, Step>
export type FirstStep = keyof typeof firstSteps
export const firstStepNames = Object.keys(firstSteps) as FirstStep[]

/** Whether each step is done. */
export const FirstSteps = z.record(
  z.enum(firstStepNames as [FirstStep, ...FirstStep[]]),
  z.boolean(),
)
export type FirstSteps = z.infer<typeof FirstSteps>
