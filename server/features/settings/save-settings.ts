import { sql } from 'drizzle-orm'
import { type SettingsEdit, settingsLabel, settingsNames } from '#contracts/settings.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { shopSettings } from '#server/database/schema/settings.ts'
import { AppError } from '#server/errors.ts'
import { readSettings } from './store.ts'

/** Two admins who save at once take turns, also before there is a row to lock. */
const settingsLock = sql`select pg_advisory_xact_lock(hashtextextended('shop settings', 0))`

/**
 * Saves what the owner says of the shop, and logs what changed.
 * @returns how many fields have changed
 * @throws AppError OUTDATED when another admin saved since `version` was read
 */
export function saveSettings(
  db: Database,
  caller: Caller,
  { version, settings }: SettingsEdit,
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(settingsLock)
    const before = await readSettings(tx)
    if (before.version !== version) {
      throw new AppError(
        'OUTDATED',
        'Another admin saved the settings meanwhile, and nothing of yours was saved. Look at them again, then repeat your change.',
      )
    }
    const changed = settingsNames.filter(
      (name) => before.settings.shop[name] !== settings.shop[name],
    )
    await tx
      .insert(shopSettings)
      .values({ settings })
      .onConflictDoUpdate({
        target: shopSettings.onlyRow,
        set: { settings, version: sql`${shopSettings.version} + 1`, savedAt: sql`now()` },
      })
    const changes = changed.map((name) => ({
      label: settingsLabel(name),
      from: before.settings.shop[name],
      to: settings.shop[name],
    }))
    if (changes.length > 0) {
      const action = { actor: caller, userId: caller._id, action: 'settings changed' } as const
      await logActions(tx, [{ ...action, detail: { changes } }])
    }
    return changed.length
  })
}
