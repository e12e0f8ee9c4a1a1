import type { Settings } from './env.ts'
import type { FirstAdmin } from './first-admin.ts'

export type BannerFacts = {
  settings: Settings
  publicUrl: string
  simulated: boolean
  owner: FirstAdmin | null
  ms: number
}

/** What `npm start` prints: each door to the outside, whether it is real, and where it is. */
export function printBanner({ settings, publicUrl, simulated, owner, ms }: BannerFacts): void {
  const rows = [
    ['shop', 'open', publicUrl],
    [
      'database',
      settings.DATABASE_URL ? 'yours' : 'embedded',
      settings.DATABASE_URL ? 'DATABASE_URL' : settings.DATA_DIR,
    ],
    ['sign-in', 'embedded', `${publicUrl}/identity`],
    [
      'payments',
      simulated ? 'stand-in' : 'Stripe',
      simulated ? `${publicUrl}/sandbox/stripe` : 'api.stripe.com',
    ],
    ['pictures', 'on disk', `${settings.DATA_DIR}/images`],
    [
      'mail',
      settings.SMTP_URL ? 'SMTP' : 'stand-in',
      settings.SMTP_URL ? new URL(settings.SMTP_URL).host : `${settings.DATA_DIR}/outbox`,
    ],
  ] as const
  console.log('')
  for (const [door, kind, where] of rows)
    console.log(`  ${door.padEnd(10)}${kind.padEnd(10)}${where}`)
  if (owner) {
    console.log(
      `\n  The shop's owner (shown this once): ${owner.email}  password ${owner.password}`,
    )
  }
  console.log(`\n  Ready in ${(ms / 1000).toFixed(1)} s. Open ${publicUrl}  (Ctrl-C stops)\n`)
}
