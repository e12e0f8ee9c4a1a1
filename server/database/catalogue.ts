/** Caches values made from parts and reviews until the catalogue changes. */
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
  /** What it shows. Without anything it never changes. */
  shows: readonly ShownTopic[]
  /** Whether it serves others too. Not when a part of it could not be loaded. */
  cacheable: boolean
  /** How much memory it takes, where that is more than a few kilobytes. */
  bytes?: number
}

/** What an answer must know: every change committed by now, or by a second ago. */
export type AsOf = 'now' | 'this second'

export type CatalogueCache = {
  /** Returns the cached value, or makes it once for all who ask at the time. One query serves all who ask. */
  getOrSet<T>(key: string, make: Make<T>, asOf?: AsOf, slow?: Slow): Promise<T>
  /** The cached value, if it is known to be fresh without asking the database. */
  get<T>(key: string, asOf: AsOf): T | undefined
  /** Whether the database answers. One query serves all who ask at the time, or within a second. */
  databaseAnswers(asOf: AsOf): Promise<boolean>
  /** Takes note of a change that this process has made: its next reader sees that change. */
  changed(): void
  close(): Promise<void>
}

/** A value that is slow to make. */
export type Slow = {
  /**
   * Milliseconds. While the value is made again, callers get the previous one if it was right this long ago; callers that
   * ask for what the database knows now do not.
   */
  staleMs: number
  /** Called when another caller has to wait for it. */
  onJoined(): void
}
type Make<T> = () => Promise<Computed<T>>
/** @param freshAt when it was last known to be right, in milliseconds of this process */
type Entry = {
  computed: Computed<unknown>
  version: CatalogueVersion | undefined
  freshAt: number
}
type Making = { promise: Promise<Computed<unknown>>; version: CatalogueVersion | undefined }

/** Beyond either of these, the oldest goes. Bytes are of bodies as they are; in all encodings they take half as much again. */
const capacity = { entries: 500, bytes: 22_000_000 }

const isAsNew = (one: CatalogueVersion | undefined, other: CatalogueVersion | undefined) =>
  other ? one !== undefined && one.all >= other.all : !one

/** The catalogue's version; undefined while the database is away. */
const readingAsOf = (versions: VersionReader, asOf: AsOf): Promise<VersionReading | undefined> =>
  (asOf === 'now' ? versions.next() : versions.current()).catch(() => undefined)

/** Entries by key, each with its catalogue version. */
function cacheEntries(versions: VersionReader, max: typeof capacity) {
  const entries = new Map<string, Entry>()
  let bytes = 0
  const making = new Map<string, Making>()

  function isFresh(entry: Entry, reading: VersionReading | undefined): boolean {
    const { computed, version } = entry
    const fresh = computed.shows.every(
      (topic) =>
        reading && version && versionOf(version, topic) === versionOf(reading.version, topic),
    )
    if (fresh && reading) entry.freshAt = reading.at
    return fresh
  }

  function forget(key: string) {
    bytes -= entries.get(key)?.computed.bytes ?? 0
    entries.delete(key)
  }

  function keep(key: string, entry: Entry) {
    forget(key)
    // one answer does not push out all others
    if ((entry.computed.bytes ?? 0) > max.bytes / 2) return
    entries.set(key, entry)
    bytes += entry.computed.bytes ?? 0
    for (const oldest of entries.keys()) {
      if (entries.size <= max.entries && bytes <= max.bytes) break
      forget(oldest)
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
    if (cached?.computed.shows.length === 0) return cached.computed.value as T
    for (let from = asOf; ; from = 'this second') {
      const reading = await readingAsOf(versions, from)
      const entry = entries.get(key)
      if (entry && isFresh(entry, reading)) return entry.computed.value as T
      const running = making.get(key)
      if (!running) return (await start(key, make, reading)).value
      const isRecent = entry && reading && slow && entry.freshAt >= performance.now() - slow.staleMs
      if (isRecent && asOf !== 'now') return entry.computed.value as T
      slow?.onJoined()
      if (isAsNew(running.version, reading?.version)) return (await running.promise).value as T
      // it shows an older catalogue: waits for its end, so that one at a time is made
      await running.promise.catch(() => {})
    }
  }

  function get<T>(key: string, asOf: AsOf): T | undefined {
    const entry = entries.get(key)
    if (!entry || entry.computed.shows.length === 0) return entry?.computed.value as T | undefined
    const reading = versions.last()
    if (asOf === 'now' || !reading || reading.at < performance.now() - readingMs) return undefined
    return isFresh(entry, reading) ? (entry.computed.value as T) : undefined
  }

  return { getOrSet, get }
}

/** @param onError called when the connection for the version breaks */
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
