/** How often what visitors see has changed, as the database knows it: one question for everybody who wants to know. */
import pg from 'pg'

export const topics = ['parts', 'reviews'] as const
export type Topic = (typeof topics)[number]
/** How often each topic changed; grows with every commit that changed it. */
export type CatalogueVersion = Readonly<Record<Topic, number>>
/** @param at when the question was asked, in milliseconds of this process */
export type Reading = { version: CatalogueVersion; at: number }

/** Milliseconds for which one answer serves all who ask. */
export const shared = 1_000
/** A database that says nothing for so long is no help to anyone; whoever asks for health gives up soon after. */
const timeout = 4_000
/** As many rows are added up in no time; more are replaced by their sum. */
const mostRows = 1_000

const count = `select topic, sum(changes)::float8 as changes, count(*)::int as rows
  from catalogue_changes group by topic`
const compact = `with old as (
    delete from catalogue_changes where _id in (select _id from catalogue_changes for update skip locked)
    returning topic, changes)
  insert into catalogue_changes (topic, changes) select topic, sum(changes) from old group by topic`

export const totalOf = (version: CatalogueVersion | undefined): number =>
  topics.reduce((sum, topic) => sum + (version?.[topic] ?? 0), 0)

export type VersionReader = {
  /** What was read last, however long ago. */
  last(): Reading | undefined
  /** A reading that is at most a second old. @throws what the database, or the way to it, said */
  current(): Promise<Reading>
  /** A reading that begins now or later, so that it knows every change that is committed now. */
  next(): Promise<Reading>
  close(): Promise<void>
}

/**
 * Asks on a connection of its own, one question at a time, so that no crowd waits before it and it makes nobody wait.
 * @param onError told when that connection breaks
 */
export function versionReader(url: string, onError: (error: Error) => void): VersionReader {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'ferrite-version',
    max: 1,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
  })
  pool.on('error', onError)
  let last: Reading | undefined
  let failed: { error: unknown; at: number } | undefined
  let running: { at: number; reading: Promise<Reading> } | undefined
  let following: Promise<Reading> | undefined

  async function ask(at: number): Promise<Reading> {
    try {
      const { rows } = await pool.query<{ topic: Topic; changes: number; rows: number }>(count)
      const changes = Object.fromEntries(rows.map(({ topic, changes }) => [topic, changes]))
      last = { version: { parts: 0, reviews: 0, ...changes }, at }
      failed = undefined
      if (rows.some((row) => row.rows > mostRows)) pool.query(compact).catch(onError)
      return last
    } catch (error) {
      failed = { error, at }
      throw error
    } finally {
      running = undefined
    }
  }
  function start(): Promise<Reading> {
    const at = performance.now()
    following = undefined
    running = { at, reading: ask(at) }
    return running.reading
  }
  /** Shares what was asked since then, or asks once for all who want it. */
  async function since(moment: number): Promise<Reading> {
    if (last && last.at >= moment) return last
    if (failed && failed.at >= moment) throw failed.error
    if (!running) return start()
    if (running.at >= moment) return running.reading
    following ??= running.reading.then(start, start)
    return following
  }

  return {
    last: () => last,
    current: () => since(performance.now() - shared),
    next: () => since(performance.now()),
    close: () => pool.end(),
  }
}
