import type { SaleFacts, ShopFacts } from '#contracts/shop.ts'
import { percent, readRates } from '#contracts/tax.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { type LastKnown, lastKnown } from '#server/features/settings/last-known.ts'
import { readSettings } from '#server/features/settings/store.ts'
import { readArrivals } from './arrivals.ts'
import { listMethods } from './methods.ts'

function taxNoteOf({ taxMode, taxName, taxRates }: ShopFacts): string {
  const [rate] = readRates(taxRates)
  if (taxMode === 'included' && rate) return `incl. ${percent(rate.rate)} ${taxName}`
  return taxMode === 'added' ? `plus ${taxName}` : ''
}

async function readSaleFacts(db: Queryable): Promise<SaleFacts | null> {
  const [{ settings }, methods, by] = await Promise.all([
    readSettings(db),
    listMethods(db),
    readArrivals(db),
  ])
  const taxNote = taxNoteOf(settings.shop)
  if (methods.length === 0 && taxNote === '') return null
  return {
    delivers: methods.length > 0,
    taxNote,
    offers: methods
      .filter(({ type }) => type === 'ship')
      .map(({ price, freeFrom, steps, daysTo }) => ({
        ...{ price, freeFrom, steps },
        by: by(daysTo),
      })),
    unknownG: Number(settings.shop.unknownWeight),
  }
}

/**
 * What pages say about tax and delivery now, at most a second old. Pages are outdated at midnight
 * and at the last hour of dispatch. While the database is unavailable, it is what was read last.
 */
export const saleFacts = (db: Database, catalogue: CatalogueCache): LastKnown<SaleFacts | null> =>
  lastKnown(catalogue, 'sale facts', null, () => readSaleFacts(db))
