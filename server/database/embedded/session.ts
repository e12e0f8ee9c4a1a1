import pg from 'pg'
import { isAlive } from '#server/database/embedded/postmaster.ts'

// One advisory lock says who owns the database; it lives and dies with its session, even under kill -9.
const LOCK = [1_179_992_690, 1] as const
const NAME_BYTES = 63

export type Holder = { session: number; pid: number; owner: string }

/** Address of the database `ferrite` on the embedded server. */
export function databaseUrl(password: string, port: number): string {
  return `postgres://ferrite:${password}@127.0.0.1:${port}/ferrite`
}

/** Opens a session that carries, as its name, the process and the address that a second start is told. */
export async function openSession(url: string, owner: string): Promise<pg.Client> {
  const name = `ferrite ${process.pid} ${owner}`.slice(0, NAME_BYTES)
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  // Its end is what the caller listens to; without a listener an error would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

export async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', [...LOCK])
  return rows[0].taken
}

/** Who holds the lock, undefined when it has just been let go. */
export async function lockHolder(client: pg.Client): Promise<Holder | undefined> {
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
export async function endSession(client: pg.Client, session: number): Promise<void> {
  await client.query('select pg_terminate_backend($1, 5000)', [session])
}

/** Ends what a dead process left connected, so that none of its transactions goes on. */
export async function endOtherSessions(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where usename = current_user and pid <> pg_backend_pid()`,
  )
}

export const isDead = (holder: Holder): boolean => !isAlive(holder.pid)
