/** Reads the version of the catalogue. Concurrent readers share one query. */
import pg from 'pg'

export type Topic = 'parts' | 'reviews' | 'settings'
/**
 * What a page shows: a whole topic, the details of parts without their figures, or the details and
 * one part's figures.
 */
export type ShownTopic = Topic | 'details' | `part:${string}`
/**
 * The version of each topic; it grows with every commit that changes the topic, `settings` also at
 * the shop's midnight and at its last hour of dispatch. `parts` counts every change of a part. `details` leaves out changes of one part's stock, sales or stars, which
 * `figures` counts by part. `all` counts every change.
 */
export type CatalogueVersion = Readonly<Record<Topic | 'details' | 'all', number>> & {
  readonly figures: ReadonlyMap<string, number>
}

/** The version of a page's content. */
export const versionOf = (version: CatalogueVersion, topic: ShownTopic): number =>
  topic.startsWith('part:')
    ? version.details + (version.figures.get(topic.slice('part:'.length)) ?? 0)
    : version[topic as Topic | 'details']

/** @param at when the query began, in milliseconds of this process's clock */
export type VersionReading = { version: CatalogueVersion; at: number }

/** How long callers share a reading, in milliseconds. */
export const readingMs = 1_000
/** Timeout of a reading in milliseconds; health checks time out soon after it. */
const timeout = 4_000
/** Above this number of rows, their sums replace them. */
const maxRows = 1_000
/** The most rows to replace at a time, because the next read waits for it. */
const mergedRows = 10_000

/** A day, in changes: however a day and a change meet, the version is another. */
const dayChanges = 1_000_000
const count = `select topic, part_id as "partId", sum(changes)::float8 as changes, count(*)::int as rows
  from catalogue_changes group by topic, part_id
  union all select 'settings', null, ((shop_today() - date '2000-01-01') * 2
    + (to_char(now() at time zone shop_zone(), 'HH24:MI')
      >= coalesce(nullif((select settings->'shop'->>'dispatchUntil' from shop_settings), ''), '24'))::int)
    * ${dayChanges}::float8, 0`
/**
 * With $1, each part keeps its own sum. Without, the rows become changes of details, which outdate
 * the page of every part.
 */
const compact = `with old as (
    delete from catalogue_changes where _id in (
      select _id from catalogue_changes order by _id limit ${mergedRows} for update skip locked)
    returning topic, part_id, changes)
  insert into catalogue_changes (topic, part_id, changes)
    select case when $1 then topic when topic = 'part_page' then 'parts' else topic end, case when $1 then part_id end,
      sum(changes) from old group by 1, 2`

type Sum = { topic: Topic | 'part_page'; partId: string | null; changes: number; rows: number }

function versionIn(sums: Sum[]): CatalogueVersion {
  const version = { parts: 0, reviews: 0, settings: 0, details: 0, all: 0 }
  const figures = new Map<string, number>()
  for (const { topic, partId, changes } of sums) {
    version.all += changes
    if (topic !== 'part_page') version[topic] += changes
    if (partId !== null) figures.set(partId, (figures.get(partId) ?? 0) + changes)
    else if (topic === 'parts') version.details += changes
  }
  return { ...version, figures }
}

export type VersionReader = {
  /** The last reading of any age, unless this process has made a change since. */
  last(): VersionReading | undefined
  /**
   * A reading at most a second old that includes every change of this process. @throws the error of
   * the database or the connection
   */
  current(): Promise<VersionReading>
  /** A reading that begins now, so that it includes every committed change. */
  next(): Promise<VersionReading>
  /** Records a change that this process has made: earlier readings are no longer valid. */
  changed(): void
  close(): Promise<void>
}

/**
 * Reads on its own connection, one query at a time, so the load of the pool does not delay it.
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
  let last: VersionReading | undefined
  let changedAt = 0
  let failed: { error: unknown; at: number } | undefined
  let running: { at: number; reading: Promise<VersionReading> } | undefined
  let following: Promise<VersionReading> | undefined

  async function ask(at: number): Promise<VersionReading> {
    try {
      const { rows: sums } = await pool.query<Sum>(count)
      last = { version: versionIn(sums), at }
      failed = undefined
      const rows = sums.reduce((all, sum) => all + sum.rows, 0)
      if (rows > maxRows) pool.query(compact, [sums.length <= maxRows / 2]).catch(onError)
      return last
    } catch (error) {
      failed = { error, at }
      throw error
    } finally {
      running = undefined
    }
  }
  function start(): Promise<VersionReading> {
    const at = performance.now()
    following = undefined
    running = { at, reading: ask(at) }
    return running.reading
  }
  /** Shares a reading that began after this moment, or starts one for all waiting callers. */
  async function since(moment: number): Promise<VersionReading> {
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
