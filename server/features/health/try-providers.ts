/**
 * Tries the keys of the shop's providers: at start for the table on the terminal, then every ten
 * minutes.
 */
import type { Logger } from 'pino'
import type { HealthEvent } from '#contracts/health.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import type { Images } from '#server/adapters/images/port.ts'
import type { Mailer } from '#server/adapters/mail/port.ts'
import type { Payments } from '#server/adapters/payments/port.ts'
import type { Database } from '#server/database/client.ts'
import { dropCheck } from '#server/database/health-checks.ts'
import {
  AppError,
  type KeyedProvider,
  KeyRefused,
  keyRefusedEvents,
  reasonOf,
} from '#server/errors.ts'
import type { ReportHealth } from './report.ts'

export type ProviderDeps = {
  db: Database
  payments: Pick<Payments, 'verify' | 'browser'>
  images: Pick<Images, 'verify' | 'name' | 'where'>
  mailer: Pick<Mailer, 'verify'>
  identity: Pick<Identity, 'verify'>
  sender: { type: 'smtp' | 'files'; where: string }
}

/**
 * `accepted`: the provider accepts the shop's keys. `refused`: it refuses them. `down`: it does not
 * respond as expected.
 */
export type Tried = {
  name: KeyedProvider
  state: 'accepted' | 'refused' | 'down'
  /** A sentence for the owner, with the cause. */
  sentence: string
}

/** Failures in a row before a provider counts as down, so that short outages cause no message. */
const triesUntilDown = 3

const downEvents: Record<KeyedProvider, HealthEvent> = {
  payments: 'payment_provider_down',
  pictures: 'picture_store_down',
  mail: 'mail_server_unavailable',
  sign_in: 'sign_in_provider_down',
}

type Provider = { name: KeyedProvider; verify: () => Promise<void>; accepted: string }

function providersOf({ payments, images, mailer, identity, sender }: ProviderDeps): Provider[] {
  const signIn = identity.verify
  return [
    {
      name: 'payments',
      verify: payments.verify,
      accepted: payments.browser.sandbox
        ? 'Payments are simulated: no card is charged.'
        : 'Stripe takes the key of the shop.',
    },
    {
      name: 'mail',
      verify: mailer.verify,
      accepted:
        sender.type === 'smtp'
          ? `The mail server ${sender.where} takes mail of the shop.`
          : `No mail leaves the shop: it has no mail server. Mails are kept in ${sender.where}.`,
    },
    {
      name: 'pictures',
      verify: images.verify,
      accepted: `Pictures are kept ${images.name === 'on disk' ? 'on disk' : `at ${images.name}`}, in ${images.where}.`,
    },
    ...(signIn
      ? [
          {
            name: 'sign_in',
            verify: signIn,
            accepted: 'Firebase takes the key of the shop.',
          } as const,
        ]
      : []),
  ]
}

async function tryOne({ name, verify, accepted }: Provider): Promise<Tried> {
  try {
    await verify()
    return { name, state: 'accepted', sentence: accepted }
  } catch (error) {
    if (error instanceof KeyRefused) return { name, state: 'refused', sentence: error.reason }
    const reason = error instanceof AppError ? reasonOf(error) : (error as Error).message
    return { name, state: 'down', sentence: reason }
  }
}

/**
 * Tries every provider once, in parallel.
 * @returns one result per provider; never rejects
 */
export const tryProviders = (deps: ProviderDeps): Promise<Tried[]> =>
  Promise.all(providersOf(deps).map(tryOne))

/**
 * @returns a function that reports the results. It reports a provider as down after three failures
 *   in a row
 */
export function providerReporter(
  { db, identity, log }: ProviderDeps & { log: Logger },
  report: ReportHealth,
) {
  const downs = new Map<KeyedProvider, number>()
  return async (all: Tried[]): Promise<void> => {
    if (!identity.verify) await dropCheck(db, 'sign_in')
    for (const { name, state, sentence } of all) {
      const times = state === 'down' ? (downs.get(name) ?? 0) + 1 : 0
      downs.set(name, times)
      if (times === 1) log.warn({ check: name, reason: sentence }, downEvents[name])
      if (state === 'refused') await report({ name, event: keyRefusedEvents[name], sentence })
      else if (state === 'accepted') await report({ name, event: null, sentence })
      else if (times >= triesUntilDown) await report({ name, event: downEvents[name], sentence })
    }
  }
}
