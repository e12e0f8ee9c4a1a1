import type { FirebaseFacts } from '#contracts/shop.ts'
import type { FirstAdmin } from '#server/features/users/first-admin.ts'
import type { Settings } from './env.ts'

/** What the process knows that opened the shop. */
export type ShopFacts = {
  publicUrl: string
  /** Folder of the embedded database; null with DATABASE_URL. */
  databaseFolder: string | null
  sandbox: boolean
  images: { name: string; where: string }
  /** Null without sign-in with Google. */
  google: { sandbox: boolean } | null
  /** Null with the embedded provider. */
  firebase: FirebaseFacts | null
  /** Path of the sandbox's mailbox; null when mail is real. */
  mailbox: string | null
  /** What the mailbox and the sandbox for Google ask a browser for. */
  sandboxToken: string
  /** Why mail cannot be sent; null when it can, or is not known yet. */
  mailProblem: string | null
  demoOwner: FirstAdmin | null
  /** Sentences about the settings that the owner should know. */
  notes: string[]
}
export type BannerFacts = ShopFacts & { settings: Settings; ms: number }

type Row = readonly [adapter: string, choice: string, where: string]

function signInRow({ publicUrl, firebase }: BannerFacts): Row {
  if (!firebase) return ['sign-in', 'embedded', `${publicUrl}/identity`]
  const { emulator, projectId } = firebase
  return emulator ? ['sign-in', 'emulator', emulator] : ['sign-in', 'Firebase', projectId]
}

function googleRow({ settings, publicUrl, google, firebase, sandboxToken }: BannerFacts): Row {
  if (firebase) return ['google', firebase.emulator ? 'emulator' : 'Firebase', firebase.authDomain]
  if (!google) return ['google', 'off', 'GOOGLE_CLIENT_ID is not set']
  if (google.sandbox)
    return ['google', 'sandbox', `${publicUrl}/sandbox/google?token=${sandboxToken}`]
  const { host } = new URL(settings.GOOGLE_ISSUER)
  return ['google', host === 'accounts.google.com' ? 'Google' : 'yours', host]
}

function mailRow({ settings, publicUrl, mailbox, sandboxToken }: BannerFacts): Row {
  if (settings.SMTP_URL) return ['mail', 'SMTP', new URL(settings.SMTP_URL).host]
  if (!mailbox) return ['mail', 'sandbox', `${settings.DATA_DIR}/outbox`]
  return ['mail', 'sandbox', `${publicUrl}${mailbox}?token=${sandboxToken}`]
}

/** Prints each adapter, whether it is real, and its address. */
export function printBanner(facts: BannerFacts): void {
  const { settings, publicUrl, databaseFolder, sandbox, images, demoOwner, ms } = facts
  const { WORKERS } = settings
  const rows: Row[] = [
    ['shop', 'open', publicUrl],
    ...(WORKERS > 1 ? [['workers', String(WORKERS), 'processes on this port'] as const] : []),
    ['database', databaseFolder ? 'embedded' : 'yours', databaseFolder ?? 'DATABASE_URL'],
    signInRow(facts),
    googleRow(facts),
    [
      'payments',
      sandbox ? 'sandbox' : 'Stripe',
      sandbox ? `${publicUrl}/sandbox/stripe` : 'api.stripe.com',
    ],
    ['pictures', images.name, images.where],
    mailRow(facts),
  ]
  console.log('')
  for (const [adapter, choice, where] of rows)
    console.log(`  ${adapter.padEnd(10)}${choice.padEnd(10)}${where}`)
  if (facts.mailProblem) console.log(`\n  Mail can not be sent and waits. ${facts.mailProblem}`)
  for (const note of facts.notes) console.log(`\n  ${note}`)
  if (demoOwner) {
    console.log(
      `\n  The shop's owner (shown this once): ${demoOwner.email}  password ${demoOwner.password}`,
    )
  }
  console.log(`\n  Ready in ${(ms / 1000).toFixed(1)} s. Open ${publicUrl}  (Ctrl-C stops)\n`)
}
