/** Caches values made from parts and reviews until the catalogue changes. */
import {
  type CatalogueVersion,
  readingMs,
  type Shown,
  type VersionReader,
  versionOf,
  versionReader,
} from './catalogue-version.ts'

export type Computed<T> = {
  value: T
  /** What it shows. Without anything it never changes. */
  shows: readonly Shown[]
  /** Whether it serves others too. Not when a part of it could not be loaded. */
  cacheable: boolean
}

/** What an answer must know: every change committed by now, or by a second ago. */
export type AsOf = 'now' | 'this second'

export type CatalogueCache = {
  /** Returns the cached value, or makes it once for all who ask at the time. One query serves all who ask. */
  getOrSet<T>(key: string, make: Make<T>, asOf?: AsOf): Promise<T>
  /** The cached value, if it is known to be fresh without asking the database. */
  get<T>(key: string, asOf: AsOf): T | undefined
  /** Whether the database answers. One query serves all who ask at the time, or within a second. */
  databaseAnswers(asOf: AsOf): Promise<boolean>
  /** Takes note of a change that this process has made: its next reader sees that change. */
  changed(): void
  close(): Promise<void>
}

type Make<T> = () => Promise<Computed<T>>
type Entry = { made: Computed<unknown>; version: CatalogueVersion | undefined }
type Making = { promise: Promise<Computed<unknown>>; version: CatalogueVersion | undefined }

/** With pages of parts, which are 60 kB each in all encodings, about 32 MB. Beyond it the oldest goes. */
const capacity = 500

const isAsNew = (one: CatalogueVersion | undefined, other: CatalogueVersion | undefined) =>
  other ? one !== undefined && one.all >= other.all : !one

/** The catalogue's version; undefined while the database is away. */
const versionAsOf = (versions: VersionReader, asOf: AsOf): Promise<CatalogueVersion | undefined> =>
  (asOf === 'now' ? versions.next() : versions.current()).then(
    ({ version }) => version,
    () => undefined,
  )

/** Entries by key, each with its catalogue version. */
function cacheEntries(versions: VersionReader) {
  const entries = new Map<string, Entry>()
  const making = new Map<string, Making>()

  const isFresh = ({ made, version }: Entry, now: CatalogueVersion | undefined) =>
    made.shows.every(
      (shown) => now && version && versionOf(version, shown) === versionOf(now, shown),
    )

  function start<T>(key: string, make: Make<T>, version: CatalogueVersion | undefined) {
    const promise = make()
      .then((made) => {
        const isKnown = version !== undefined || made.shows.length === 0
        if (made.cacheable && isKnown) {
          entries.delete(key)
          entries.set(key, { made, version })
          const [oldest] = entries.keys()
          if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
        }
        return made
      })
      .finally(() => making.delete(key))
    making.set(key, { promise, version })
    return promise
  }

  async function getOrSet<T>(key: string, make: Make<T>, asOf: AsOf = 'this second'): Promise<T> {
    const known = entries.get(key)
    if (known?.made.shows.length === 0) return known.made.value as T
    for (let from = asOf; ; from = 'this second') {
      const version = await versionAsOf(versions, from)
      const entry = entries.get(key)
      if (entry && isFresh(entry, version)) return entry.made.value as T
      const running = making.get(key)
      if (!running) return (await start(key, make, version)).value
      if (isAsNew(running.version, version)) return (await running.promise).value as T
      // it shows an older catalogue: waits for its end, so that one at a time is made
      await running.promise.catch(() => {})
    }
  }

  function get<T>(key: string, asOf: AsOf): T | undefined {
    const entry = entries.get(key)
    if (!entry || entry.made.shows.length === 0) return entry?.made.value as T | undefined
    const reading = versions.last()
    if (asOf === 'now' || !reading || reading.at < performance.now() - readingMs) return undefined
    return isFresh(entry, reading.version) ? (entry.made.value as T) : undefined
  }

  return { getOrSet, get }
}

/** @param onError called when the connection for the version breaks */
export function catalogueCache(url: string, onError: (error: Error) => void): CatalogueCache {
  const versions = versionReader(url, onError)
  return {
    ...cacheEntries(versions),
    databaseAnswers: async (asOf) => (await versionAsOf(versions, asOf)) !== undefined,
    changed: versions.changed,
    close: versions.close,
  }
}
