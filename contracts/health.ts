/** GET /health: the state of the shop's health checks, and what the owner can do about failures. */
import { z } from 'zod'

/**
 * The titles of the shop's health checks. The metric `ferrite_health_check_failing` uses the same
 * names.
 */
export const healthCheckTitles = {
  backup: 'Backups',
  disk: 'Disk space',
  jobs: 'Background jobs',
  stock: 'Stock on hold',
  payments: 'Card payments',
  mail: 'Mail',
  pictures: 'Pictures',
  sign_in: 'Sign-in',
} as const
export const healthCheckNames = Object.keys(healthCheckTitles) as HealthCheckName[]
export type HealthCheckName = keyof typeof healthCheckTitles

type Event = {
  check: HealthCheckName
  /**
   * `failing`: something does not work now. `warning`: it may soon fail, or it may recover by
   * itself.
   */
  state: 'warning' | 'failing'
  /** The mail's subject. */
  headline: string
  /** What the owner can do. */
  advice: string
}

/** What a health check may find. The log uses the same event names. */
export const healthEvents = {
  backup_missing: {
    check: 'backup',
    state: 'warning',
    headline: 'Your shop has no backup',
    advice:
      'Back it up every night (npm run backup). If something else already does that, turn this check off (BACKUP_HOURS=0).',
  },
  backup_old: {
    check: 'backup',
    state: 'warning',
    headline: 'The last backup is old',
    advice:
      'Find out why there’s no newer one (systemctl status ferrite-backup.timer ferrite-backup, or what else runs npm run backup).',
  },
  backup_failed: {
    check: 'backup',
    state: 'failing',
    headline: 'A backup failed',
    advice:
      'Fix what it says, then make a backup (systemctl start ferrite-backup, or npm run backup).',
  },
  disk_low: {
    check: 'disk',
    state: 'warning',
    headline: 'The disk is nearly full',
    advice:
      'Free up space or enlarge the disk. Below 256 MB, the shop refuses orders and all other changes.',
  },
  disk_full: {
    check: 'disk',
    state: 'failing',
    headline: 'The disk is full and the shop is closed',
    advice: 'Free up space, and the shop reopens by itself.',
  },
  job_late: {
    check: 'jobs',
    state: 'failing',
    headline: 'A background job isn’t running',
    advice: 'Restart the shop. If it happens again, see what the log says about this job.',
  },
  stock_hoarded: {
    check: 'stock',
    state: 'warning',
    headline: 'Customers who’ve never paid hold most of a product',
    advice:
      'The product’s page lists them. If they aren’t real customers, release what they hold or block them under Users.',
  },
  payment_key_refused: {
    check: 'payments',
    state: 'failing',
    headline: 'The card provider refuses your shop’s key: no one can pay',
    advice:
      'Create a key at Stripe, set it and restart; payments customers have started will then be completed (STRIPE_SECRET_KEY).',
  },
  payment_provider_down: {
    check: 'payments',
    state: 'warning',
    headline: 'The card provider isn’t answering',
    advice:
      'Check status.stripe.com. Nothing is charged twice, and open payments are completed later.',
  },
  mail_key_refused: {
    check: 'mail',
    state: 'failing',
    headline: 'The mail server refuses your shop’s password: no email is sent',
    advice:
      'Correct the mail server’s user and password and restart. Emails wait for five days (SMTP_URL).',
  },
  mail_server_unavailable: {
    check: 'mail',
    state: 'warning',
    headline: 'Email can’t be sent',
    advice: 'Fix what it says, then send a test email. Emails wait for five days.',
  },
  picture_key_refused: {
    check: 'pictures',
    state: 'failing',
    headline: 'The picture store refuses your shop’s key',
    advice:
      'Create a key there, set it and restart. Orders still work without pictures (IMGBB_API_KEY, S3_…).',
  },
  picture_store_down: {
    check: 'pictures',
    state: 'warning',
    headline: 'The picture store isn’t answering',
    advice: 'Check the store’s status page. Orders still work without pictures.',
  },
  sign_in_key_refused: {
    check: 'sign_in',
    state: 'failing',
    headline: 'Firebase refuses your shop’s key: no one can log in',
    advice:
      'Check the key, its restrictions and the project in the Firebase console, then restart (FIREBASE_API_KEY, FIREBASE_PROJECT_ID).',
  },
  sign_in_provider_down: {
    check: 'sign_in',
    state: 'warning',
    headline: 'Firebase isn’t answering',
    advice: 'Check status.firebase.google.com. Users who are logged in stay logged in.',
  },
} as const satisfies Record<string, Event>
export type HealthEvent = keyof typeof healthEvents

export const HealthReport = z
  .strictObject({
    version: z.string(),
    checks: z.array(
      z.strictObject({
        name: z.enum(healthCheckNames),
        title: z.string(),
        state: z.enum(['ok', 'off', 'warning', 'failing']).describe('`off`: not set up yet.'),
        event: z
          .enum(Object.keys(healthEvents) as HealthEvent[])
          .nullable()
          .describe('What the log calls it; null while all is well.'),
        sentence: z.string().describe('What was found, with its cause.'),
        advice: z.string().nullable().describe('What the owner can do.'),
        since: z.iso.datetime(),
        checkedAt: z.iso.datetime(),
      }),
    ),
  })
  .describe('The health checks of the shop as its processes last made them.')
export type HealthReport = z.infer<typeof HealthReport>
export type HealthCheck = HealthReport['checks'][number]
