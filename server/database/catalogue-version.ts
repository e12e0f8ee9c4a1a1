/** Reads the version of the catalogue: one query serves all who ask at a time. */
import pg from 'pg'

export const topics = ['parts', 'reviews'] as const
export type Topic = (typeof topics)[number]
/** The version of each topic, which grows with every commit that changes it. */
export type CatalogueVersion = Readonly<Record<Topic, number>>
/** @param at when the query began, in milliseconds of this process */
export type Reading = { version: CatalogueVersion; at: number }

/** Milliseconds for which one reading serves everybody. */
export const readingMs = 1_000
/** Timeout of a reading in milliseconds; health checks give up soon after. */
const timeout = 4_000
/** So many rows add up quickly; more are replaced by their sum. */
const mostRows = 1_000

const count = `select topic, sum(changes)::float8 as changes, count(*)::int as rows
  from catalogue_changes group by topic`
const compact = `with old as (
    delete from catalogue_changes where _id in (select _id from catalogue_changes for update skip locked)
    returning topic, changes)
  insert into catalogue_changes (topic, changes) select topic, sum(changes) from old group by topic`

export type VersionReader = {
  /** The last reading, however old, unless this process has made a change since. */
  last(): Reading | undefined
  /** A reading at most a second old, with every change that this process has made. @throws the database's or the connection's error */
  current(): Promise<Reading>
  /** A reading that begins now, so that it includes every committed change. */
  next(): Promise<Reading>
  /** Takes note of a change that this process has made: no earlier reading serves any more. */
  changed(): void
  close(): Promise<void>
}

/**
 * Reads on its own connection, one query at a time, independent of the pool's load.
 * @param onError called when that connection breaks
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
  let changedAt = 0
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
  /** Shares the reading that began since then, or begins one for all who wait. */
  async function since(moment: number): Promise<Reading> {
    if (last && last.at >= moment) return last
    if (failed && failed.at >= moment) throw failed.error
    if (!running) return start()
    if (running.at >= moment) return running.reading
    following ??= running.reading.then(start, start)
    return following
  }

  return {
    last: () => (last && last.at >= changedAt ? last : undefined),
    current: () => since(Math.max(changedAt, performance.now() - readingMs)),
    next: () => since(performance.now()),
    changed: () => {
      changedAt = performance.now()
    },
    close: () => pool.end(),
  }
}
