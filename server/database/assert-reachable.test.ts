/** A start with an unusable database fails with one sentence that says what to do. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { StartError } from '#server/errors.ts'
import { testDatabase } from '#tests/support/database.ts'
import { assertReachable, awaitDatabase, patientTimes } from './assert-reachable.ts'

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const field = (type: string, text: string) => `${type}${text}\0`

type Refusal = { code: string; message: string }

function refuse(socket: Socket, { code, message }: Refusal): void {
  const body = Buffer.from(`${field('S', 'FATAL')}${field('C', code)}${field('M', message)}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  socket.end(Buffer.concat([head, body]))
}

/** A server that responds to each connection with `answer`. @returns its port */
async function serverFor(answer: (socket: Socket, startup: Buffer) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (startup) => answer(socket, startup))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

const urlAt = (port: number) => `postgres://shop@127.0.0.1:${port}/shop`

/** Rejects a connection parameter, as PgBouncer does. @returns its address */
const poolerThatRefuses = async (parameter: string): Promise<string> =>
  urlAt(
    await serverFor((socket, startup) => {
      const isSent = startup.includes(parameter)
      const message = isSent ? `unsupported startup parameter: ${parameter}` : 'not sent'
      refuse(socket, { code: isSent ? '08P01' : '28000', message })
    }),
  )

test('a pooler that passes on no statement timeout is named, with what to do', async () => {
  const failure = await assertReachable(await poolerThatRefuses('statement_timeout')).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(StartError)
  const { message } = failure as StartError
  expect(message).toContain('unsupported startup parameter: statement_timeout')
  expect(message).toContain('use the direct address of the database')
  expect(message).not.toContain('\n')
})

test('an unreachable address is named too, and a sound database is accepted', async () => {
  await expect(assertReachable('postgres://shop@127.0.0.1:9/shop')).rejects.toThrow(
    'start it, or correct',
  )
  const database = await testDatabase()
  closing.push(() => database.drop())
  await assertReachable(database.url)
})

const refusals = {
  'is starting up': { code: '57P03', message: 'the database system is starting up' },
  'is shutting down': { code: '57P01', message: 'terminating connection' },
  'has no connection left': { code: '53300', message: 'sorry, too many clients already' },
  'is behind a pooler that does not reach it': {
    code: '08P01',
    message: 'server login has been failing, cached error: connect failed (server_login_retry)',
  },
  'hangs up': null,
}

test.each(Object.entries(refusals))('a database that %s is waited for', async (_, refusal) => {
  const database = await testDatabase()
  closing.push(() => database.drop())
  const { hostname, port } = new URL(database.url)
  let refused = 0
  const late = new URL(database.url)
  late.hostname = '127.0.0.1'
  late.port = String(
    await serverFor((socket, startup) => {
      if (refused === 3) {
        const open = connect(Number(port), hostname).on('error', () => socket.destroy())
        socket
          .on('close', () => open.destroy())
          .pipe(open)
          .pipe(socket)
        return open.write(startup)
      }
      refused += 1
      return refusal ? refuse(socket, refusal) : socket.destroy()
    }),
  )
  const said: string[] = []
  const times = { forMs: 60_000, everyMs: 10, repeatMs: 60_000 }
  await awaitDatabase(late.href, (sentence) => said.push(sentence), times)
  expect(said).toEqual([
    expect.stringMatching(
      /^The database of DATABASE_URL does not answer yet \(.+\): the shop waits/,
    ),
  ])
})

test('a database that never responds ends the start after a while; one whose name does not resolve yet is waited for', async () => {
  const said: string[] = []
  const say = (sentence: string) => said.push(sentence)
  const times = { forMs: 300, everyMs: 10, repeatMs: 60_000 }
  for (const host of ['127.0.0.1:9', 'no-such-host.invalid']) {
    said.length = 0
    await expect(awaitDatabase(`postgres://shop@${host}/shop`, say, times)).rejects.toThrow(
      'start it, or correct',
    )
    // not at every try
    expect(said).toHaveLength(1)
  }
})

test('the systemd unit never gives up, and does not end the wait early', async () => {
  const unit = await readFile('deploy/ferrite.service', 'utf8')
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(unit).toMatch(/^Restart=always$/m)
  const seconds = Number(/^TimeoutStartSec=(\d+)$/m.exec(unit)?.[1])
  expect(seconds * 1000).toBeGreaterThan(patientTimes.forMs)
})

test.each([
  ['28P01', 'password authentication failed for user "shop"'],
  ['3D000', 'database "shop" does not exist'],
  ['28000', 'no pg_hba.conf entry for host'],
])('a refusal with %s ends the start at once', async (code, message) => {
  let tries = 0
  const port = await serverFor((socket) => {
    tries += 1
    refuse(socket, { code, message })
  })
  const said: string[] = []
  const times = { forMs: 60_000, everyMs: 10, repeatMs: 10 }
  await expect(
    awaitDatabase(urlAt(port), (sentence) => said.push(sentence), times),
  ).rejects.toThrow(message)
  expect([tries, said]).toEqual([1, []])
})
