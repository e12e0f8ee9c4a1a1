import type { CatalogueCache } from '#server/database/catalogue-cache.ts'

/**
 * Reads something. `isCurrent` tells whether the last reading succeeded; otherwise its result was
 * an older one.
 */
export type LastKnown<T> = (() => Promise<T>) & { isCurrent: () => boolean }

/** Reads what follows the settings; while the database is unavailable, the last that was read. */
export function lastKnown<T>(
  catalogue: CatalogueCache,
  key: string,
  first: T,
  read: () => Promise<T>,
): LastKnown<T> {
  let last = first
  let isCurrent = false
  const reading = async () => {
    try {
      last = await catalogue.getOrSet(key, async () => {
        return { value: await read(), shows: ['settings'], cacheable: true }
      })
      isCurrent = true
    } catch {
      isCurrent = false
      // pages of a shop without its database say so themselves
    }
    return last
  }
  return Object.assign(reading, { isCurrent: () => isCurrent })
}
