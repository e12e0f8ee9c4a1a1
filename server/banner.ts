import { healthCheckTitles } from '#contracts/health.ts'
import type { FirebaseFacts } from '#contracts/shop.ts'
import type { Tried } from '#server/features/health/try-providers.ts'
import type { FirstAdmin } from '#server/features/users/first-admin.ts'
import type { Settings } from './env.ts'

/** What the process knows after it has opened the shop. */
export type ShopFacts = {
  publicUrl: string
  /** Folder of the embedded database; null with DATABASE_URL. */
  databaseFolder: string | null
  sandbox: boolean
  images: { name: string; where: string }
  /** Null without Google sign-in. */
  google: { sandbox: boolean } | null
  /** Null with the embedded provider. */
  firebase: FirebaseFacts | null
  /** Path of the sandbox's mailbox; null when mail is real. */
  mailbox: string | null
  /** The token that the mailbox and the sandbox for Google require from browsers. */
  sandboxToken: string
  /** The result of each provider's first test; empty until it is known. */
  tried: Tried[]
  demoOwner: FirstAdmin | null
  /** Sentences about the settings for the owner. */
  notes: string[]
}
export type BannerFacts = ShopFacts & { settings: Settings; ms: number }

type Row = readonly [adapter: string, choice: string, where: string]

const triedWords = {
  accepted: 'takes the key of the shop',
  refused: 'REFUSES THE KEY OF THE SHOP',
  down: 'does not answer as it should',
} as const

/** A provider's address, and whether it accepts the shop's keys. */
function addressOf({ tried }: BannerFacts, name: Tried['name'], where: string): string {
  const state = tried.find((one) => one.name === name)?.state
  return state ? `${where}  ${triedWords[state]}` : where
}

function signInRow(facts: BannerFacts): Row {
  const { publicUrl, firebase } = facts
  if (!firebase) return ['sign-in', 'embedded', `${publicUrl}/identity`]
  const { emulator, projectId } = firebase
  if (emulator) return ['sign-in', 'emulator', emulator]
  return ['sign-in', 'Firebase', addressOf(facts, 'sign_in', projectId)]
}

function googleRow({ settings, publicUrl, google, firebase, sandboxToken }: BannerFacts): Row {
  if (firebase) return ['google', firebase.emulator ? 'emulator' : 'Firebase', firebase.authDomain]
  if (!google) return ['google', 'off', 'GOOGLE_CLIENT_ID is not set']
  if (google.sandbox)
    return ['google', 'sandbox', `${publicUrl}/sandbox/google?token=${sandboxToken}`]
  const { host } = new URL(settings.GOOGLE_ISSUER)
  return ['google', host === 'accounts.google.com' ? 'Google' : 'yours', host]
}

function paymentsRow(facts: BannerFacts): Row {
  if (facts.sandbox) return ['payments', 'sandbox', `${facts.publicUrl}/sandbox/stripe`]
  return ['payments', 'Stripe', addressOf(facts, 'payments', 'api.stripe.com')]
}

function picturesRow(facts: BannerFacts): Row {
  const { name, where } = facts.images
  const isOnDisk = facts.settings.IMAGES === 'disk'
  return ['pictures', name, isOnDisk ? where : addressOf(facts, 'pictures', where)]
}

function mailRow(facts: BannerFacts): Row {
  const { settings, publicUrl, mailbox, sandboxToken } = facts
  if (settings.SMTP_URL) {
    return ['mail', 'SMTP', addressOf(facts, 'mail', new URL(settings.SMTP_URL).host)]
  }
  if (!mailbox) return ['mail', 'sandbox', `${settings.DATA_DIR}/outbox`]
  return ['mail', 'sandbox', `${publicUrl}${mailbox}?token=${sandboxToken}`]
}

/** Prints each adapter, whether it is real, and its address. */
export function printBanner(facts: BannerFacts): void {
  const { settings, publicUrl, databaseFolder, demoOwner, ms } = facts
  const { WORKERS } = settings
  const rows: Row[] = [
    ['shop', 'open', publicUrl],
    ...(WORKERS > 1 ? [['workers', String(WORKERS), 'processes on this port'] as const] : []),
    ['database', databaseFolder ? 'embedded' : 'yours', databaseFolder ?? 'DATABASE_URL'],
    signInRow(facts),
    googleRow(facts),
    paymentsRow(facts),
    picturesRow(facts),
    mailRow(facts),
  ]
  console.log('')
  for (const [adapter, choice, where] of rows)
    console.log(`  ${adapter.padEnd(10)}${choice.padEnd(10)}${where}`)
  for (const { name, state, sentence } of facts.tried)
    if (state !== 'accepted') console.log(`\n  ${healthCheckTitles[name]}: ${sentence}`)
  for (const note of facts.notes) console.log(`\n  ${note}`)
  if (demoOwner) {
    console.log(
      `\n  The shop's owner (shown this once): ${demoOwner.email}  password ${demoOwner.password}`,
    )
  }
  console.log(`\n  Ready in ${(ms / 1000).toFixed(1)} s. Open ${publicUrl}  (Ctrl-C stops)\n`)
}
