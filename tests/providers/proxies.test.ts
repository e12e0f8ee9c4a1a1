/** The proxies of deploy/, each started in front of the shop. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { isRoot, run } from '#server/postgres/accounts.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { describeServer, findProgram } from '#tests/support/servers/real-server.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

const deployFolder = join(import.meta.dirname, '../../deploy')
const deploy = (file: string) => readFile(join(deployFolder, file), 'utf8')
const name = 'shop.example'
const ready = { timeout: 30_000, interval: 50 }

type Ports = { http: number; https: number; shop: number }
type Proxy = {
  name: string
  program: string
  /**
   * Writes the configuration of deploy/, adapted to this machine, into a folder.
   * @returns the program's arguments
   */
  configure(folder: string, ports: Ports): Promise<string[]>
  /** The status for a body beyond its limit. */
  tooLarge: number
  /** Whether it limits the requests of one network; otherwise only the shop does. */
  limitsRequests: boolean
}

/** Replaces each text; every text must occur at least once. */
function replaced(text: string, pairs: [string, string][]): string {
  return pairs.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`deploy/ has no ${from}`)
    return now.replaceAll(from, to)
  }, text)
}

async function configureNginx(folder: string, { http, https, shop }: Ports): Promise<string[]> {
  const pair = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const request = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt']
  const result = await run('openssl', [
    ...[...request, 'ec_paramgen_curve:P-256', '-subj', `/CN=${name}`, ...pair],
  ])
  if (result.code !== 0) throw new Error(result.error)
  const site = replaced(await deploy('nginx.conf'), [
    ['127.0.0.1:3000', `127.0.0.1:${shop}`],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ', `listen 127.0.0.1:${https} `],
    [`/etc/letsencrypt/live/${name}`, folder],
    ['/opt/ferrite/current/deploy', deployFolder],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (use) => `${use}_temp_path ${folder}/${use};`,
  )
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr;${isRoot() ? ' user root;' : ''}
     events {} http { access_log off; ${temporary.join(' ')} ${site} }`,
  )
  return ['-c', file, '-e', 'stderr']
}

async function configureCaddy(folder: string, { http, https, shop }: Ports): Promise<string[]> {
  const options = `admin off
      default_bind 127.0.0.1
      http_port ${http}
      https_port ${https}
      local_certs
      skip_install_trust
      storage file_system ${folder}`
  const site = replaced(await deploy('Caddyfile'), [
    ['127.0.0.1:3000', `127.0.0.1:${shop}`],
    ['/opt/ferrite/current/deploy', deployFolder],
    ['{\n\tservers {', `{\n${options}\n\tservers {`],
  ])
  const file = join(folder, 'Caddyfile')
  await writeFile(file, site)
  return ['run', '--config', file, '--adapter', 'caddyfile']
}

const proxies: Proxy[] = [
  {
    name: 'nginx',
    program: 'nginx',
    configure: configureNginx,
    tooLarge: 413,
    limitsRequests: true,
  },
  // forwards a body as it arrives, so the shop responds before the limit is reached
  {
    name: 'Caddy',
    program: 'caddy',
    configure: configureCaddy,
    tooLarge: 401,
    limitsRequests: false,
  },
]

type Answer = { status: number; headers: Record<string, unknown>; body: Buffer }

/** One request over HTTP/2, which the proxy must offer. */
async function ask(
  port: number,
  headers: Record<string, string>,
  body?: Uint8Array,
): Promise<Answer> {
  const session = connect(`https://127.0.0.1:${port}`, {
    servername: name,
    rejectUnauthorized: false,
  })
  try {
    await once(session, 'connect')
    const stream = session.request({ ':authority': name, ...headers }, { endStream: !body })
    // a proxy that refuses a body responds before it has read all of it
    stream.on('error', () => {})
    if (body) stream.end(body)
    const [answer] = await once(stream, 'response')
    return {
      status: answer[':status'],
      headers: answer,
      body: await buffer(stream).catch(() => Buffer.of()),
    }
  } finally {
    session.destroy()
  }
}

for (const proxy of proxies) {
  await describeServer(
    proxy.name,
    () => findProgram(proxy.program),
    (program) => {
      let shop: TestShop
      let ports: Ports
      let stop: () => Promise<void>
      const received: { socket: object; headers: Record<string, unknown> }[] = []

      beforeAll(async () => {
        const web = await builtWeb()
        shop = await openTestShop(
          { PUBLIC_URL: `https://${name}`, TRUST_PROXY: 'on', HOST: '127.0.0.1' },
          {
            web: {
              ...web,
              wrap: (listener) => (request, response) => {
                received.push(request)
                listener(request, response)
              },
            },
          },
        )
        ports = {
          http: await freePort(),
          https: await freePort(),
          shop: Number(new URL(shop.origin).port),
        }
        const folder = await mkdtemp(join(tmpdir(), 'ferrite-proxy-'))
        const child = spawn(program, await proxy.configure(folder, ports), {
          stdio: ['ignore', 'ignore', 'pipe'],
          env: { PATH: process.env.PATH, HOME: folder },
        })
        let errorOutput = ''
        child.stderr.on('data', (chunk) => {
          errorOutput += chunk
        })
        stop = async () => {
          child.kill()
          if (child.exitCode === null) await once(child, 'exit')
          await rm(folder, { recursive: true, force: true })
        }
        await vi
          .waitFor(() => ask(ports.https, { ':path': '/readyz' }), ready)
          .catch((error) => {
            throw new Error(`${proxy.name} does not answer: ${errorOutput}`, { cause: error })
          })
      })
      afterAll(() => stop())

      test('speaks HTTP/2, and leaves what the shop compressed as it is', async () => {
        const { status, headers, body } = await ask(ports.https, {
          ':path': '/home',
          'accept-encoding': 'gzip, br',
        })
        expect(status).toBe(200)
        expect(headers).toMatchObject({
          'content-encoding': 'br',
          'strict-transport-security': expect.stringContaining('max-age='),
        })
        expect(brotliDecompressSync(body).toString()).toContain('</html>')
      })

      test('leads from http to https', async () => {
        const [answer] = await once(
          get({ port: ports.http, host: '127.0.0.1', path: '/parts', headers: { host: name } }),
          'response',
        )
        answer.resume()
        expect(answer.statusCode).toBeGreaterThanOrEqual(301)
        expect(answer.headers.location).toBe(`https://${name}/parts`)
      })

      test('tells the shop where a client is, whatever the client says', async () => {
        const path = '/healthz?who'
        const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.example' }
        await ask(ports.https, { ':path': path, ...forged })
        expect(received.at(-1)?.headers).toMatchObject({
          host: name,
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-host': name,
        })
      })

      test('keeps its connections to the shop open', async () => {
        received.length = 0
        for (let i = 0; i < 20; i += 1) await ask(ports.https, { ':path': '/api/part' })
        expect(received).toHaveLength(20)
        expect(new Set(received.map(({ socket }) => socket)).size).toBeLessThan(5)
      })

      const sendPicture = (bytes: number) => {
        const headers = { ':method': 'POST', ':path': '/api/image', 'content-type': 'image/png' }
        return ask(ports.https, headers, Buffer.alloc(bytes))
      }

      test('lets a picture of 5 MB through to the shop, which asks who sends it', async () => {
        const { status, body } = await sendPicture(5 * 1024 * 1024)
        expect([status, body.toString()]).toEqual([401, expect.stringContaining('UNAUTHENTICATED')])
      })

      test.runIf(proxy.limitsRequests)(
        'keeps back the flood of one network, and lets a whole office in',
        async () => {
          /** That many requests on one connection, all at once. */
          const askMany = async (times: number) => {
            const session = connect(`https://127.0.0.1:${ports.https}`, {
              rejectUnauthorized: false,
            })
            const statusOf = async () => {
              const stream = session.request({ ':authority': name, ':path': '/favicon.svg' })
              const [answer] = await once(stream.resume(), 'response')
              return answer[':status'] as number
            }
            const statuses = await Promise.all(Array.from({ length: times }, statusOf))
            session.destroy()
            return new Set(statuses)
          }
          expect(await askMany(100)).toEqual(new Set([200]))
          expect(await askMany(700)).toEqual(new Set([200]))
          await expect.poll(async () => (await askMany(900)).has(429)).toBe(true)
        },
      )

      test('passes on what the shop itself refuses, as it is', async () => {
        const { status, headers } = await ask(ports.https, { ':path': '/no-such-page' })
        expect([status, headers['retry-after']]).toEqual([404, undefined])
      })

      test('refuses what no form of the shop can be', async () => {
        const { status } = await sendPicture(7 * 1024 * 1024)
        expect(status).toBe(proxy.tooLarge)
      })

      test('says that the shop is being restarted while nobody answers, and to look again', async () => {
        await shop.close()
        const { status, headers, body } = await ask(ports.https, { ':path': '/parts' })
        expect([status, headers['retry-after'], headers['cache-control']]).toEqual([
          503,
          '5',
          'no-store',
        ])
        expect(body.toString()).toContain('The shop is being restarted.')
      })
    },
  )
}
