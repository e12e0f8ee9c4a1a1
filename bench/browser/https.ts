import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#tests/support/servers/free-port.ts'

async function answers(origin: string): Promise<boolean> {
  const session = connect(origin, { rejectUnauthorized: false })
  session.on('error', () => {})
  const opened = await once(session, 'connect').then(
    () => true,
    () => false,
  )
  session.destroy()
  return opened
}

/**
 * Starts Caddy before a server: HTTP/2, with a self-signed certificate. @returns null when Caddy is
 * not installed
 */
export async function startCaddy(
  origin: string,
): Promise<{ origin: string; close(): Promise<void> } | null> {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-caddy-'))
  const port = await freePort()
  const file = join(folder, 'Caddyfile')
  await writeFile(
    file,
    `{
      admin off
      local_certs
      skip_install_trust
      auto_https disable_redirects
      default_bind 127.0.0.1
      storage file_system ${folder}
    }
    https://localhost:${port} {
      reverse_proxy ${new URL(origin).host} {
        transport http {
          keepalive 4s
          compression off
        }
      }
    }`,
  )
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: folder },
  })
  const here = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  const close = async () => {
    child.kill()
    if (here && child.exitCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
  if (!here) {
    await close()
    return null
  }
  const secure = `https://localhost:${port}`
  for (let tries = 0; !(await answers(secure)); tries += 1) {
    if (tries > 100 || child.exitCode !== null) throw new Error('Caddy does not answer')
    await pause(100)
  }
  return { origin: secure, close }
}
