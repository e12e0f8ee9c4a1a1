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
      'Have it backed up every night (npm run backup). If something else does that already, switch this check off (BACKUP_HOURS=0).',
  },
  backup_old: {
    check: 'backup',
    state: 'warning',
    headline: 'The last backup is old',
    advice:
      'See why no newer one was made (systemctl status ferrite-backup.timer ferrite-backup, or what else runs npm run backup).',
  },
  backup_failed: {
    check: 'backup',
    state: 'failing',
    headline: 'A backup failed',
    advice:
      'Correct what it says, then make a backup (systemctl start ferrite-backup, or npm run backup).',
  },
  disk_low: {
    check: 'disk',
    state: 'warning',
    headline: 'The disk is nearly full',
    advice:
      'Free space or enlarge the disk. With less than 256 MB the shop refuses orders and every other change.',
  },
  disk_full: {
    check: 'disk',
    state: 'failing',
    headline: 'The disk is full and the shop is closed',
    advice: 'Free space: the shop opens again by itself.',
  },
  job_late: {
    check: 'jobs',
    state: 'failing',
    headline: 'A background job does not run',
    advice: 'Restart the shop. If it comes back, read what the log says of this job.',
  },
  stock_hoarded: {
    check: 'stock',
    state: 'warning',
    headline: 'Customers who never paid as much hold most of a part',
    advice:
      'The page of the part lists them. If they are not customers, release what they hold or block them under Users.',
  },
  payment_key_refused: {
    check: 'payments',
    state: 'failing',
    headline: 'The card provider refuses the shop’s key: nobody can pay',
    advice:
      'Make a key at Stripe, give it to the shop and restart: what customers began to pay is then finished (STRIPE_SECRET_KEY).',
  },
  payment_provider_down: {
    check: 'payments',
    state: 'warning',
    headline: 'The card provider does not answer',
    advice:
      'Look at status.stripe.com. Nothing is charged twice, and what is open is finished later.',
  },
  mail_key_refused: {
    check: 'mail',
    state: 'failing',
    headline: 'The mail server refuses the shop’s password: no mail leaves',
    advice:
      'Correct the user and password of the mail server and restart. Mails wait for five days (SMTP_URL).',
  },
  mail_server_unavailable: {
    check: 'mail',
    state: 'warning',
    headline: 'Mail cannot be sent',
    advice: 'Correct what it says, then send a test mail. Mails wait for five days.',
  },
  picture_key_refused: {
    check: 'pictures',
    state: 'failing',
    headline: 'The store of the pictures refuses the shop’s key',
    advice:
      'Make a key there, give it to the shop and restart. Orders go on without pictures (IMGBB_API_KEY, S3_…).',
  },
  picture_store_down: {
    check: 'pictures',
    state: 'warning',
    headline: 'The store of the pictures does not answer',
    advice: 'Look at the status page of the store. Orders go on without pictures.',
  },
  sign_in_key_refused: {
    check: 'sign_in',
    state: 'failing',
    headline: 'Firebase refuses the shop’s key: nobody can log in',
    advice:
      'Compare key and project with the Firebase console, and what the key is restricted to; then restart (FIREBASE_API_KEY, FIREBASE_PROJECT_ID).',
  },
  sign_in_provider_down: {
    check: 'sign_in',
    state: 'warning',
    headline: 'Firebase does not answer',
    advice: 'Look at status.firebase.google.com. Users who are logged in stay logged in.',
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
