/** Remembers what is made from parts and reviews, until one that it shows changes. */
import {
  type CatalogueVersion,
  shared,
  type Topic,
  topics,
  totalOf,
  type VersionReader,
  versionReader,
} from './catalogue-version.ts'

export type RepairResult<T> = {
  value: T
  /** What it shows. Without any it never changes. */
  shows: readonly Topic[]
  /** Is it the same for the next who asks? Not when something it shows could not be had. */
  cacheable: boolean
}

export type CatalogueCache = {
  /**
   * What is kept under this key, or made now: once, however many ask at a time. It is at most a second older than the
   * catalogue.
   * @param atLeast a catalogue version that it must know, as `total` told it
   */
  getOrSet<T>(key: string, make: Make<T>, atLeast?: number): Promise<T>
  /** What is kept under this key, if that is known to be fresh without a question to the database. */
  get<T>(key: string, atLeast?: number): T | undefined
  /** The catalogue's version as of now: it counts every change that is committed. */
  total(): Promise<number>
  /** The version that was last heard of. */
  lastTotal(): number | undefined
  /** Does the database answer? One question, shared by all who ask at that time, or within a second. */
  databaseAnswers(asOf: 'now' | 'this second'): Promise<boolean>
  close(): Promise<void>
}

type Make<T> = () => Promise<RepairResult<T>>
type Entry = { made: RepairResult<unknown>; version: CatalogueVersion | undefined }
type Making = { promise: Promise<RepairResult<unknown>>; version: CatalogueVersion | undefined }

/** More than the shop has pages; a limit all the same. */
const capacity = 500

const isAsNew = (one: CatalogueVersion | undefined, other: CatalogueVersion | undefined) =>
  other ? one !== undefined && topics.every((topic) => one[topic] >= other[topic]) : !one

/** Entries by key, each with the version that it was made from. */
function keptEntries(versions: VersionReader) {
  const entries = new Map<string, Entry>()
  const making = new Map<string, Making>()

  const isFresh = ({ made, version }: Entry, now: CatalogueVersion | undefined) =>
    made.shows.every((topic) => now !== undefined && version?.[topic] === now[topic])

  /** Undefined while the database does not say. A larger number than it knows is made up, and asked for once. */
  async function newest(atLeast = 0): Promise<CatalogueVersion | undefined> {
    const isKnown = totalOf(versions.last()?.version) >= atLeast
    const reading = isKnown ? versions.current() : versions.next()
    return reading.then(
      ({ version }) => version,
      () => undefined,
    )
  }

  function start<T>(key: string, make: Make<T>, version: CatalogueVersion | undefined) {
    const promise = make()
      .then((made) => {
        const isKnown = version !== undefined || made.shows.length === 0
        if (made.cacheable && isKnown && (entries.has(key) || entries.size < capacity))
          entries.set(key, { made, version })
        return made
      })
      .finally(() => making.delete(key))
    making.set(key, { promise, version })
    return promise
  }

  async function getOrSet<T>(key: string, make: Make<T>, atLeast?: number): Promise<T> {
    const kept = entries.get(key)
    if (kept?.made.shows.length === 0) return kept.made.value as T
    for (;;) {
      const version = await newest(atLeast)
      const entry = entries.get(key)
      if (entry && isFresh(entry, version)) return entry.made.value as T
      const running = making.get(key)
      if (!running) return (await start(key, make, version)).value
      if (isAsNew(running.version, version)) return (await running.promise).value as T
      // made from an older catalogue: its end is waited for, so that one at a time is made
      await running.promise.catch(() => {})
    }
  }

  function get<T>(key: string, atLeast = 0): T | undefined {
    const entry = entries.get(key)
    if (!entry || entry.made.shows.length === 0) return entry?.made.value as T | undefined
    const reading = versions.last()
    if (!reading || reading.at < performance.now() - shared) return undefined
    if (totalOf(reading.version) < atLeast || !isFresh(entry, reading.version)) return undefined
    return entry.made.value as T
  }

  return { getOrSet, get }
}

/** @param onError told when the connection on which the version is read breaks */
export function catalogueCache(url: string, onError: (error: Error) => void): CatalogueCache {
  const versions = versionReader(url, onError)
  return {
    ...keptEntries(versions),
    total: async () => totalOf((await versions.next()).version),
    lastTotal: () => {
      const reading = versions.last()
      return reading && totalOf(reading.version)
    },
    databaseAnswers: (asOf) =>
      (asOf === 'now' ? versions.next() : versions.current()).then(
        () => true,
        () => false,
      ),
    close: () => versions.close(),
  }
}
