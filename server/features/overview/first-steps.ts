import { and, eq, ne } from 'drizzle-orm'
import type { FirstSteps } from '#contracts/first-steps.ts'
import type { Payments } from '#server/adapters/payments/port.ts'
import type { Database } from '#server/database/client.ts'
import { demoOnSale, demoOwner, hasOwnParts } from '#server/database/demo-content.ts'
import { readRuns } from '#server/database/last-runs.ts'
import { shopTexts } from '#server/database/schema/texts.ts'
import { users } from '#server/database/schema/users.ts'
import { fieldsOnSample, readSettings } from '#server/features/settings/store.ts'
import { listMethods } from '#server/features/shipping/methods.ts'

export type FirstStepsDeps = {
  db: Database
  payments: Pick<Payments, 'browser'>
  sender: { type: 'smtp' | 'files' }
  /** Hours after which a backup is old; 0 when something else backs up the database. */
  backupHours: number
}

/** Reads which steps of a new shop are done. */
export async function readFirstSteps(deps: FirstStepsDeps): Promise<FirstSteps> {
  const { db, payments, sender, backupHours } = deps
  const [onSample, { settings }, methods, { backup }, ownAdmins, ownTerms, ownParts, demo] =
    await Promise.all([
      fieldsOnSample(db),
      readSettings(db),
      listMethods(db),
      readRuns(db),
      db.$count(users, and(eq(users.role, 'admin'), ne(users.email, demoOwner))),
      db.$count(shopTexts, and(eq(shopTexts.page, 'terms'), ne(shopTexts.text, ''))),
      hasOwnParts(db.$client),
      demoOnSale(db.$client),
    ])
  return {
    admin: ownAdmins > 0,
    name: !onSample.includes('name'),
    contact: onSample.every((name) => name === 'name'),
    texts: ownTerms > 0,
    delivery: methods.length > 0,
    tax: settings.shop.taxMode !== 'none',
    parts: ownParts,
    mail: sender.type === 'smtp',
    cards: payments.browser.publishableKey.startsWith('pk_live_'),
    backup: backupHours === 0 || Boolean(backup),
    live: demo.length === 0,
  }
}
