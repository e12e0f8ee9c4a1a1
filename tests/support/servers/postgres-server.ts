/**
 * An external PostgreSQL server, which the shop reaches through DATABASE_URL: the machine's newest
 * or, without one, the shop's own.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { vi } from 'vitest'
import { type Account, BARE_ENV, isRoot, run, serviceAccount } from '#server/postgres/accounts.ts'
import { findBinaries } from '#server/postgres/binaries.ts'
import { freePort } from './free-port.ts'

const installed = '/usr/lib/postgresql'
const soon = { timeout: 30_000, interval: 20 }

export type PostgresServer = {
  /** For example 15. */
  version: string
  url: string
  /** The system user that it runs as. */
  account: Account
  /** SIGINT is a fast shutdown, SIGKILL a crash. Resolves when it has exited. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  /** Starts at the same address; resolves when it accepts connections. */
  start(): Promise<void>
  /** Promotes a replica to primary; resolves when it is. */
  promote(): Promise<void>
  /** Ends it and removes its files. */
  remove(): Promise<void>
}

async function binariesFor(account: Account): Promise<string> {
  const versions = (await readdir(installed).catch(() => [])).map(Number).filter(Boolean)
  const [newest] = versions.sort((a, b) => b - a)
  const folder = join(installed, String(newest))
  const works = newest && (await run(join(folder, 'bin/initdb'), ['--version'], { account }))
  return works && works.code === 0 ? folder : findBinaries(account)
}

export async function takesConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Requires TLS, and creates the certificate for it.
 * @returns what a client adds to the URL
 */
async function wantTls(data: string, account: Account): Promise<string> {
  const [key, certificate] = [join(data, 'server.key'), join(data, 'server.crt')]
  const result = await run('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', key, '-out', certificate],
  ])
  if (result.code !== 0) throw new Error(result.error)
  if (account) for (const file of [key, certificate]) await chown(file, account.uid, account.gid)
  await writeFile(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n')
  const trustedCertificate = `${data}.crt`
  await copyFile(certificate, trustedCertificate)
  return `?sslmode=verify-full&sslrootcert=${encodeURIComponent(trustedCertificate)}`
}

/** The primary's commits can wait for a standby with this name. */
export const replicaName = 'replica'

/**
 * Creates and starts a server. Its owner is the superuser `postgres`, who needs no password.
 * @param binaries the folder of another PostgreSQL
 * @param tls whether it accepts only TLS
 * @param replicaOf the server whose changes it streams; needs pg_basebackup beside its programs
 */
export async function startPostgres({
  binaries: givenBinaries,
  tls = false,
  replicaOf,
}: {
  binaries?: string
  tls?: boolean
  replicaOf?: PostgresServer
} = {}): Promise<PostgresServer> {
  const account = isRoot() ? await serviceAccount() : undefined
  const binaries = givenBinaries ?? (await binariesFor(account))
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-postgres-'))
  if (account) await chown(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const result = replicaOf
    ? await run(
        join(binaries, 'bin/pg_basebackup'),
        ['-d', `${replicaOf.url}?application_name=${replicaName}`, '-R', '-c', 'fast', '-D', data],
        { account },
      )
    : await run(
        join(binaries, 'bin/initdb'),
        ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-D', data],
        { account },
      )
  if (result.code !== 0) throw new Error(`no PostgreSQL for the test: ${result.error}`)
  const query = tls ? await wantTls(data, account) : ''
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres${query}`
  let child: ChildProcess | undefined
  const server: PostgresServer = {
    version: (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim(),
    url,
    account,
    async start() {
      const address = { port: new URL(url).port, listen_addresses: '127.0.0.1' }
      const settings = { ...address, fsync: 'off', ssl: tls ? 'on' : 'off' }
      const words = Object.entries({ ...settings, unix_socket_directories: '' })
      child = spawn(
        join(binaries, 'bin/postgres'),
        ['-D', data, ...words.flatMap(([k, v]) => ['-c', `${k}=${v}`])],
        { cwd: folder, env: BARE_ENV, stdio: 'ignore', ...account },
      )
      await vi.waitFor(() => takesConnections(url), soon)
    },
    async end(signal) {
      const ending = child
      child = undefined
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
      ending.kill(signal)
      await once(ending, 'exit')
    },
    async promote() {
      const words = ['promote', '-w', '-D', data]
      const { code, error } = await run(join(binaries, 'bin/pg_ctl'), words, { account })
      if (code !== 0) throw new Error(error)
    },
    async remove() {
      await server.end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}
