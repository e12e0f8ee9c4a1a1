/**
 * One process owns the server: it keeps an advisory lock in it, and restarts the server when it
 * dies.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { diskFull } from '#server/data-folder.ts'
import { StartError } from '#server/errors.ts'
import {
  choosePort,
  findPostmaster,
  isAlive,
  launch,
  type Place,
  type PostgresSettings,
  stopPostmaster,
} from './process.ts'

type Owned = { port: number; takenOver: boolean; stop(): Promise<void> }

type Held = { session: pg.Client; port: number; takenOver: boolean }

const TIMEOUT_MS = 20_000
const RETRY_MS = 20

/**
 * Makes this process the only owner of the database. Starts its server unless one is running, and
 * restarts it on the same port whenever it dies.
 * @throws StartError when another process owns it
 */
export async function keepOwned(options: Options): Promise<Owned> {
  const { port, takenOver, session } = await acquire(options)
  let stopping = false
  let recovering = Promise.resolve()
  const recover = async () => {
    options.log('The database went away; starting it again')
    try {
      watch((await acquire(options, port)).session)
    } catch (error) {
      options.log(error instanceof Error ? error.message : String(error))
      // Without the lock, this process no longer owns the data, so it shuts down as after a signal.
      if (!stopping) process.kill(process.pid, 'SIGTERM')
    }
  }
  const watch = (held: pg.Client) =>
    held.once('end', () => {
      if (!stopping) recovering = recover()
    })
  watch(session)
  return {
    port,
    takenOver,
    async stop() {
      stopping = true
      await recovering
      await stopPostmaster(options.place.cluster)
    },
  }
}

/** Starts or finds the server and takes its lock; `requiredPort` insists on a port. */
async function acquire(options: Options, requiredPort?: number): Promise<Held> {
  const { place, logFile, log } = options
  let until = Date.now() + TIMEOUT_MS
  let launched = false
  let waiting = false
  let reason = 'no answer'
  for (; Date.now() < until; await pause(RETRY_MS)) {
    const running = await findPostmaster(place.cluster)
    if (!running) {
      const port = requiredPort ?? (await choosePort(place.cluster))
      const failure = await launch(place, port, logFile, options.postgres)
      launched = failure === undefined
      if (failure !== undefined) {
        reason = transient(failure, options)
        continue
      }
    }
    if (running && !running.ready) {
      // Recovery after a crash, or the end of an earlier shop; neither has a time limit.
      if (!waiting) log('Waiting for the database, which is still starting or stopping')
      waiting = true
      until = Date.now() + TIMEOUT_MS
      continue
    }
    const port = running?.port ?? (await findPostmaster(place.cluster))?.port
    if (!port) continue
    try {
      const session = await hold(options, port)
      if (!session) continue
      // Another process ran it on another port meanwhile, and ended: the address must not change.
      if (requiredPort && port !== requiredPort) {
        await stopPostmaster(place.cluster)
        continue
      }
      if (!launched) await endOtherSessions(session)
      return { session, port, takenOver: !launched }
    } catch (error) {
      reason = explain(error, options)
    }
  }
  throw new StartError(
    `The database in ${place.cluster} did not start within 20 seconds (${reason}): see ${logFile}.`,
  )
}

type Options = {
  place: Place
  password: string
  /** The shop's address, which a second start prints. */
  owner: string
  dataDir: string
  logFile: string
  /** settings of PostgreSQL that differ from the shop's */
  postgres?: PostgresSettings | undefined
  log: (line: string) => void
}

/** The session with the lock; undefined when another attempt may succeed. */
async function hold(options: Options, port: number): Promise<pg.Client | undefined> {
  const session = await openSession(databaseUrl(options.password, port), options.owner)
  try {
    if (await takeLock(session)) return session
    const holder = await findHolder(session)
    if (holder && !isDead(holder)) throw inUse(options.dataDir, holder)
    if (holder) await endSession(session, holder.session)
  } catch (error) {
    await session.end().catch(() => {})
    throw error
  }
  await session.end()
  return undefined
}

function inUse(dataDir: string, { pid, owner }: Holder): StartError {
  return new StartError(
    `The data folder ${dataDir} is in use by the shop at ${owner} (process ${pid}): ` +
      'stop that one, or start this one with another DATA_DIR and PORT.',
  )
}

/**
 * Returns the reason of a failed launch when another attempt may succeed; otherwise throws a
 * StartError.
 */
function transient(output: string, { place, logFile }: Options): string {
  if (/No space left|Disk quota/.test(output)) throw diskFull(place.cluster)
  const reason =
    /(?:FATAL|PANIC):\s*(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? ''
  // Another start was quicker, a dead server's last children are still ending, or the port was
  // taken.
  if (/lock file|shared memory block|could not create any TCP|could not bind/.test(output)) {
    return reason
  }
  throw new StartError(
    `The database in ${place.cluster} does not start (${reason || 'it said nothing'}): see ${logFile}.`,
  )
}

/** The reason why there is no session; throws when another attempt cannot help. */
function explain(error: unknown, { dataDir, place }: Options): string {
  if (error instanceof StartError || !(error instanceof Error)) throw error
  if (!('code' in error) || error.code !== '28P01') return error.message
  throw new StartError(
    `The password in ${dataDir}/secrets is not that of the database in ${place.cluster}: ` +
      'restore both from the same backup.',
  )
}

// An advisory lock marks the database's owner; it ends with its session, even after kill -9.
const LOCK = [1_179_992_690, 1] as const
const NAME_BYTES = 63

type Holder = { session: number; pid: number; owner: string }

/** Address of the database `ferrite` on the embedded server. */
export function databaseUrl(password: string, port: number): string {
  return `postgres://ferrite:${password}@127.0.0.1:${port}/ferrite`
}

/**
 * Opens a session whose name contains the process id and the address that a second start prints.
 */
async function openSession(url: string, owner: string): Promise<pg.Client> {
  const name = `ferrite ${process.pid} ${owner}`.slice(0, NAME_BYTES)
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  // The caller listens to its end; without this listener, an error would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', [...LOCK])
  return rows[0].taken
}

/** The lock's holder; undefined when it has just been released. */
async function findHolder(client: pg.Client): Promise<Holder | undefined> {
  const { rows } = await client.query(
    `select a.pid as session, a.application_name as name
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
       join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2`,
    [...LOCK],
  )
  const [, pid, owner = ''] = /^ferrite (\d+) (.*)$/.exec(rows[0]?.name ?? '') ?? []
  return rows[0] && { session: rows[0].session, pid: Number(pid), owner }
}

/** Ends one session of the shop's role. */
async function endSession(client: pg.Client, session: number): Promise<void> {
  await client.query('select pg_terminate_backend($1, 5000)', [session])
}

/** Ends the connections of a dead process, so that none of its transactions continues. */
async function endOtherSessions(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where usename = current_user and pid <> pg_backend_pid()`,
  )
}

const isDead = (holder: Holder): boolean => !isAlive(holder.pid)
