import { countryName } from '#contracts/country-name.ts'
import {
  type Settings,
  type SettingsName,
  sampleFacts,
  settingsFields,
  settingsNames,
} from '#contracts/settings.ts'
import type { ShopFacts } from '#contracts/shop.ts'
import type { PageLink } from '#contracts/texts.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { shopSettings } from '#server/database/schema/settings.ts'
import { readToday } from '#server/database/shop-days.ts'
import { type LastKnown, lastKnown } from './last-known.ts'
import { listPageLinks } from './page-store.ts'

/** What the owner saved. A field that a later version added has the sample's words until then. */
export async function readSettings(db: Queryable): Promise<Settings> {
  const [row] = await db.select().from(shopSettings)
  const shop = { ...sampleFacts, ...row?.settings.shop }
  return { version: row?.version ?? 0, settings: { shop } }
}

/** Returns the fields that every shop must fill in and that still have the sample's words. */
export async function fieldsOnSample(db: Queryable): Promise<SettingsName[]> {
  const { shop } = (await readSettings(db)).settings
  return settingsNames.filter((name) => {
    const { isOptional, choices, range, format, sample } = settingsFields[name]
    const isFree = isOptional || choices || range || format === 'timeZone' || format === 'weekdays'
    return !isFree && shop[name] === sample
  })
}

/** Says which these fields are, for the one who starts the shop; null without any. */
export async function noteOnSample(db: Queryable): Promise<string | null> {
  const labels = (await fieldsOnSample(db)).map((name) => settingsFields[name].label)
  return labels.length > 0
    ? `Pages and emails still show the sample’s details: ${labels.join(', ')}. Enter your own under Settings in the dashboard.`
    : null
}

/** The postal address, whose last line is the country. */
export function postalAddress({ address, country }: ShopFacts): string {
  const last = country && countryName(country)
  const isThere = address.toLowerCase().endsWith(`\n${last.toLowerCase()}`)
  return !last || isThere ? address : `${address}\n${last}`
}

/** The facts on a day, as pages and mails say them: without a vacation that is not then. */
function asOf(today: string, saved: ShopFacts): ShopFacts {
  const shop = { ...saved, address: postalAddress(saved) }
  const isAway = shop.vacationFrom <= today && today <= shop.vacationTo
  return isAway ? shop : { ...shop, vacationFrom: '', vacationTo: '' }
}

/**
 * The shop's facts of today for pages and mails, at most a second old. While the database is
 * unavailable, they are the last ones.
 */
export const shopFacts = (db: Database, catalogue: CatalogueCache): LastKnown<ShopFacts> =>
  lastKnown(catalogue, 'shop facts', sampleFacts, async () => {
    const [{ settings }, today] = await Promise.all([readSettings(db), readToday(db)])
    return asOf(today, settings.shop)
  })

/** The links to the owner's own pages, just as fresh. */
export const shopPages = (db: Database, catalogue: CatalogueCache): LastKnown<PageLink[]> =>
  lastKnown(catalogue, 'own pages', [], () => listPageLinks(db))
