/** Caches values computed from parts and reviews until the catalogue changes. */
import {
  type CatalogueVersion,
  readingMs,
  type ShownTopic,
  type VersionReader,
  type VersionReading,
  versionOf,
  versionReader,
} from './catalogue-version.ts'

export type Computed<T> = {
  value: T
  /** What the value shows. An empty list means that it never changes. */
  shows: readonly ShownTopic[]
  /** Whether other callers may get it. False when some of it could not be loaded. */
  cacheable: boolean
  /** Its size in memory, when that is more than a few kilobytes. */
  bytes?: number
}

/** Which changes an answer must include: those committed by now, or those up to a second ago. */
export type AsOf = 'now' | 'this second'

export type CatalogueCache = {
  /**
   * Returns the cached value, or computes it once for all concurrent callers. They share one
   * version query.
   */
  getOrSet<T>(key: string, make: Make<T>, asOf?: AsOf, slow?: Slow): Promise<T>
  /** The cached value, if it is known to be fresh without a query. */
  get<T>(key: string, asOf: AsOf): T | undefined
  /** Whether the database responds. Callers within a second share one query. */
  databaseAnswers(asOf: AsOf): Promise<boolean>
  /** Records a change that this process has made: the next reader sees it. */
  changed(): void
  close(): Promise<void>
}

/** Options for a value that is slow to compute. */
export type Slow = {
  /**
   * Milliseconds. While the value is recomputed, callers get the previous one if it was up to date
   * this long ago. Callers with `asOf` 'now' never do.
   */
  staleMs: number
  /** Called when another caller has to wait for the value. */
  onJoined(): void
}
type Make<T> = () => Promise<Computed<T>>
/**
 * @param freshAt when it was last known to be up to date, in milliseconds of this process's clock
 */
type Entry = {
  computed: Computed<unknown>
  version: CatalogueVersion | undefined
  freshAt: number
}
type Making = { promise: Promise<Computed<unknown>>; version: CatalogueVersion | undefined }

/**
 * Above either limit, the entry is dropped that nobody has asked for longest. `bytes` counts
 * uncompressed bodies; the compressed copies add about half.
 */
const capacity = { entries: 500, bytes: 22_000_000 }

const isAsNew = (one: CatalogueVersion | undefined, other: CatalogueVersion | undefined) =>
  other ? one !== undefined && one.all >= other.all : !one

/** The catalogue's version; undefined while the database is unavailable. */
const readingAsOf = (versions: VersionReader, asOf: AsOf): Promise<VersionReading | undefined> =>
  (asOf === 'now' ? versions.next() : versions.current()).catch(() => undefined)

/** Entries by key, each with its catalogue version. */
function cacheEntries(versions: VersionReader, max: typeof capacity) {
  /** The one asked for last comes last. */
  const entries = new Map<string, Entry>()
  let bytes = 0
  const making = new Map<string, Making>()

  function isFresh(entry: Entry, reading: VersionReading | undefined): boolean {
    const { computed, version } = entry
    const fresh = computed.shows.every((topic) =>
      reading && version
        ? versionOf(version, topic) === versionOf(reading.version, topic)
        : // without the database, a text is still what the shop said last
          topic === 'settings',
    )
    if (fresh && reading) entry.freshAt = reading.at
    return fresh
  }

  function forget(key: string) {
    bytes -= entries.get(key)?.computed.bytes ?? 0
    entries.delete(key)
  }

  function used<T>(key: string, entry: Entry): T {
    if (entries.get(key) === entry) {
      entries.delete(key)
      entries.set(key, entry)
    }
    return entry.computed.value as T
  }

  function keep(key: string, entry: Entry) {
    forget(key)
    // one value does not evict all others
    if ((entry.computed.bytes ?? 0) > max.bytes / 2) return
    entries.set(key, entry)
    bytes += entry.computed.bytes ?? 0
    for (const longest of entries.keys()) {
      if (entries.size <= max.entries && bytes <= max.bytes) break
      forget(longest)
    }
  }

  function start<T>(key: string, make: Make<T>, reading: VersionReading | undefined) {
    const version = reading?.version
    const promise = make()
      .then((computed) => {
        const isKnown = version !== undefined || computed.shows.length === 0
        if (computed.cacheable && isKnown)
          keep(key, { computed, version, freshAt: reading?.at ?? 0 })
        return computed
      })
      .finally(() => making.delete(key))
    making.set(key, { promise, version })
    return promise
  }

  async function getOrSet<T>(
    key: string,
    make: Make<T>,
    asOf: AsOf = 'this second',
    slow?: Slow,
  ): Promise<T> {
    const cached = entries.get(key)
    if (cached?.computed.shows.length === 0) return used(key, cached)
    for (let from = asOf; ; from = 'this second') {
      const reading = await readingAsOf(versions, from)
      const entry = entries.get(key)
      if (entry && isFresh(entry, reading)) return used(key, entry)
      const running = making.get(key)
      if (!running) return (await start(key, make, reading)).value
      const isRecent = entry && reading && slow && entry.freshAt >= performance.now() - slow.staleMs
      if (isRecent && asOf !== 'now') return used(key, entry)
      slow?.onJoined()
      if (isAsNew(running.version, reading?.version)) return (await running.promise).value as T
      // the running computation shows an older catalogue: wait for its end, so that only one runs
      // at a time
      await running.promise.catch(() => {})
    }
  }

  function get<T>(key: string, asOf: AsOf): T | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    if (entry.computed.shows.length === 0) return used(key, entry)
    const reading = versions.last()
    if (asOf === 'now' || !reading || reading.at < performance.now() - readingMs) return undefined
    return isFresh(entry, reading) ? used(key, entry) : undefined
  }

  return { getOrSet, get }
}

/** @param onError called when the version reader's connection breaks */
export function catalogueCache(
  url: string,
  onError: (error: Error) => void,
  max = capacity,
): CatalogueCache {
  const versions = versionReader(url, onError)
  return {
    ...cacheEntries(versions, max),
    databaseAnswers: async (asOf) => (await readingAsOf(versions, asOf)) !== undefined,
    changed: versions.changed,
    close: versions.close,
  }
}
