import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type Account, run } from '#server/postgres/accounts.ts'
import { freePort } from './free-port.ts'
import { takesConnections } from './postgres-server.ts'

/** Whether this PgBouncer supports prepared statements in transaction pooling (1.21). */
async function isRecent(program: string): Promise<boolean> {
  const { output } = await run(program, ['--version'])
  const [, major = 0, minor = 0] = (/PgBouncer (\d+)\.(\d+)/.exec(output) ?? []).map(Number)
  return major > 1 || minor >= 21
}

/**
 * PgBouncer in front of a server, configured as in docs/server.md.
 * @param to the URL of the database behind it
 * @param account the user it runs as
 */
export async function startBouncer(
  program: string,
  { to, mode, account }: { to: string; mode: 'session' | 'transaction'; account: Account },
) {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-bouncer-'))
  const port = await freePort()
  const { username, pathname } = new URL(to)
  const keepsStatements = mode === 'transaction' && (await isRecent(program))
  const file = join(folder, 'pgbouncer.ini')
  const configure = (behind: string) =>
    writeFile(
      file,
      `[databases]
       ${pathname.slice(1)} = host=127.0.0.1 port=${new URL(behind).port} user=${username}
       [pgbouncer]
       listen_addr = 127.0.0.1
       listen_port = ${port}
       unix_socket_dir =
       auth_type = any
       pool_mode = ${mode}
       max_client_conn = 300
       default_pool_size = 90
       server_login_retry = 1
       ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
       ${keepsStatements ? 'max_prepared_statements = 200' : ''}`,
      { mode: 0o644 },
    )
  await configure(to)
  await run('chmod', ['755', folder])
  const child = spawn(program, [file], { stdio: 'ignore', ...account })
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`
  await vi.waitFor(() => takesConnections(url), { timeout: 30_000, interval: 50 })
  return {
    url,
    keepsStatements,
    /** Switches to another server. */
    async leadTo(other: string): Promise<void> {
      await configure(other)
      child.kill('SIGHUP')
    },
    async stop(): Promise<void> {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
