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
    title: 'Your own account',
    advice:
      'Sign up with your own address, then make that account an admin under ‘Manage all users’.',
    to: '/dashboard/users',
  },
  name: {
    title: 'Your shop’s name',
    advice: 'It shows up on pages and in emails at once.',
    to: '/dashboard/settings',
  },
  contact: {
    title: 'Owner, address and contact',
    advice: 'They appear in the imprint, in emails and on the contact page.',
    to: '/dashboard/settings',
  },
  texts: {
    title: 'Your terms of use',
    advice: 'Write your own, and read the other text pages: they speak in your name too.',
    to: '/dashboard/settings/texts/terms',
  },
  delivery: {
    title: 'Delivery',
    advice:
      'Add your delivery methods and what they cost. Without any, you arrange each delivery by phone.',
    to: '/dashboard/settings',
    isOptional: true,
  },
  tax: {
    title: 'Tax',
    advice:
      'Set the tax your prices include, or the one you add. Without it, invoices show no tax.',
    to: '/dashboard/settings',
    isOptional: true,
  },
  parts: {
    title: 'Your first product',
    advice: 'Add one by hand, or import a supplier’s file.',
    to: '/dashboard/addProduct',
  },
  mail: { title: 'Mail', advice: 'Connect a mail server: SMTP_URL.' },
  cards: {
    title: 'Cards',
    advice: 'Connect the shop to Stripe with live keys: the three STRIPE_ settings.',
  },
  backup: { title: 'Backup', advice: 'Schedule one every night: npm run backup.' },
  live: {
    title: 'Demo removed',
    advice: 'Remove the demo products, reviews, orders and owner: npm run go-live.',
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
