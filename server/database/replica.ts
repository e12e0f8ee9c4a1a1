/** DATABASE_READ_URL: a streaming replica for exports and the overview's figures. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '#server/errors.ts'
import { connect, type Database, disconnect, sqlState } from './client.ts'

/** Seconds. Reads skip a replica that may be further behind. */
const maxAge = 60
/** How long to skip a replica after a failure, so that no request waits for it. */
const retryMs = 30_000
const connectMs = 2_000
/** A hung machine never responds. */
const queryMs = 10_000
/** How often, and how many times, to check whether the replica has caught up. */
const catchUpMs = 100
const catchUpTries = 5

/** The source of one export or one overview. */
export type Source = {
  /** Whole seconds by which its rows may be behind; null for the primary. */
  readonly age: number | null
  /** Reads from the replica, or from the primary after the replica has failed. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
}
export type ReadSource = { open(): Promise<Source>; close(): Promise<void> }

/** A source that always reads from the primary. */
export const primaryAlone = (db: Database): ReadSource => ({
  open: async () => ({ age: null, read: (work) => work(db) }),
  close: async () => {},
})

type State = { isReplica: boolean; isCurrent: boolean; age: number | null }

/**
 * The replica's state once it has replayed the primary's log up to `position`, or when its tries
 * are used up.
 */
async function stateAt(replica: Database, position: string): Promise<State | undefined> {
  for (let left = catchUpTries; ; left -= 1) {
    const { rows } = await replica.$client.query<State>(
      `select pg_is_in_recovery() as "isReplica",
         coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isCurrent",
         greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()))::float8 as age`,
      [position],
    )
    if (rows[0]?.isCurrent || !rows[0]?.isReplica || left === 0) return rows[0]
    await pause(catchUpMs)
  }
}

/** Reads from a replica of `db` while it is usable, and logs when it is not. */
export function replicaSource(db: Database, url: string, log: Logger): ReadSource {
  const replica = connect(url, () => {}, {
    max: 5,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
  })
  const primary = primaryAlone(db)
  let failedAt = Number.NEGATIVE_INFINITY
  const giveUp = (why: { err: unknown } | { reason: string; age?: number | null }) => {
    failedAt = performance.now()
    log.warn(why, 'replica_not_used')
    return null
  }

  /** The replica's age in seconds; null when it must not be read. */
  async function ageOf(): Promise<number | null> {
    const { rows } = await db.$client.query('select pg_current_wal_lsn()::text as position')
    const state = await stateAt(replica, rows[0].position)
    if (!state?.isReplica) return giveUp({ reason: 'it is no longer a replica' })
    if (state.isCurrent) return 0
    if (state.age === null || state.age > maxAge)
      return giveUp({ reason: 'it is too far behind', age: state.age })
    return Math.ceil(state.age)
  }

  return {
    async open() {
      if (performance.now() - failedAt < retryMs) return primary.open()
      let age = await ageOf().catch((err) => giveUp({ err }))
      if (age === null) return primary.open()
      return {
        get age() {
          return age
        },
        async read(work) {
          if (age !== null) {
            try {
              return await work(replica)
            } catch (err) {
              // invalid input fails on either server
              if (sqlState(err)?.startsWith('22')) throw err
              age = giveUp({ err })
            }
          }
          return work(db)
        },
      }
    },
    close: () => disconnect(replica, connectMs),
  }
}

type Identity = { system: string; name: string }

async function identityOf(connectionString: string): Promise<Identity | undefined> {
  const client = new pg.Client({
    connectionString,
    application_name: 'ferrite-start',
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Identity>(
      'select system_identifier::text as system, current_database() as name from pg_control_system()',
    )
    return rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Checks that a replica that responds belongs to this database.
 * @throws StartError when it does not
 */
export async function assertReplica(url: string, readUrl: string, log: Logger): Promise<void> {
  let identities: (Identity | undefined)[]
  try {
    identities = await Promise.all([identityOf(url), identityOf(readUrl)])
  } catch (err) {
    log.warn({ err }, 'replica_not_used')
    return
  }
  const [own, other] = identities
  if (own?.system === other?.system && own?.name === other?.name) return
  throw new StartError(
    'DATABASE_READ_URL leads to no copy of the database of DATABASE_URL: name a streaming replica of it, or remove DATABASE_READ_URL.',
  )
}
