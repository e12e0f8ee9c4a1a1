import { eq, sql } from 'drizzle-orm'
import { regionCode } from '#contracts/regions.ts'
import {
  type SettingsEdit,
  type SettingsName,
  settingsFields,
  settingsNames,
} from '#contracts/settings.ts'
import { readRates } from '#contracts/tax.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Database, type Queryable, sqlState } from '#server/database/client.ts'
import { shopSettings } from '#server/database/schema/settings.ts'
import { AppError } from '#server/errors.ts'
import { hasLogo } from './logo.ts'
import { readSettings } from './store.ts'

const outdated = () =>
  new AppError(
    'OUTDATED',
    'Another admin saved the settings in the meantime, so your changes weren’t saved. Check them, then make your change again.',
  )

/** A logo's name says nothing to anybody. */
const inWords = ({ label, from, to }: { label: string; from: string; to: string }) => ({
  label,
  from: from && 'a picture',
  to: to && (from ? 'another' : 'a picture'),
})

/** PostgreSQL's error code for an unknown time zone: Node.js may know more of them. */
const unknownZone = '22023'

async function checkTimeZone(db: Queryable, timeZone: string): Promise<void> {
  try {
    await db.execute(sql`select now() at time zone ${timeZone}`)
  } catch (error) {
    if (sqlState(error) !== unknownZone) throw error
    const problem = 'is not known to the database'
    throw new AppError('INVALID', `${settingsFields.timeZone.label} ${problem}`, {
      'settings.shop.timeZone': problem,
    })
  }
}

/** @throws AppError INVALID for a rate of a region that does not exist: nobody would pay it */
function checkRegions({ taxRates, taxRegion }: SettingsEdit['settings']['shop']): void {
  const refuse = (name: SettingsName, region: string) => {
    const problem = `${region} is no country or region that an address can have, like US or US-WA`
    throw new AppError('INVALID', problem, { [`settings.shop.${name}`]: problem })
  }
  for (const { region } of readRates(taxRates))
    if (region && regionCode(region) !== region) refuse('taxRates', region)
  if (taxRegion && regionCode(taxRegion) !== taxRegion) refuse('taxRegion', taxRegion)
}

/**
 * Saves what the owner says of the shop, and logs what changed.
 * @returns how many fields have changed
 * @throws AppError OUTDATED when another admin saved since `version` was read, INVALID for a time
 *   zone that the database does not have, or for a logo that is gone
 */
export async function saveSettings(
  db: Database,
  caller: Caller,
  { version, settings }: SettingsEdit,
): Promise<number> {
  await checkTimeZone(db, settings.shop.timeZone)
  checkRegions(settings.shop)
  const { logo } = settings.shop
  if (logo && !(await hasLogo(db, logo))) {
    const problem = 'This logo no longer exists. Upload it again.'
    throw new AppError('INVALID', problem, { 'settings.shop.logo': problem })
  }
  return db.transaction(async (tx) => {
    const before = await readSettings(tx)
    const isSame = settingsNames.every((name) => before.settings.shop[name] === settings.shop[name])
    if (isSame && before.version === version) return 0
    const { rowCount } =
      version === 0
        ? await tx.insert(shopSettings).values({ settings }).onConflictDoNothing()
        : await tx
            .update(shopSettings)
            .set({ settings, version: version + 1, savedAt: sql`now()` })
            .where(eq(shopSettings.version, version))
    // the row that was read is the one that was replaced, unless another admin saved in between
    if (rowCount === 0 || before.version !== version) throw outdated()
    const changes = settingsNames
      .map((name) => ({
        label: settingsFields[name].label,
        from: before.settings.shop[name],
        to: settings.shop[name],
      }))
      .filter(({ from, to }) => from !== to)
      .map((change) => (change.label === settingsFields.logo.label ? inWords(change) : change))
    if (changes.length > 0) {
      const action = { actor: caller, userId: caller._id, action: 'settings changed' } as const
      await logActions(tx, [{ ...action, detail: { changes } }])
    }
    return changes.length
  })
}
