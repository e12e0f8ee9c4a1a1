/** A database that can not be used stops the start with one sentence that says what to do. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { StartError } from '#server/errors.ts'
import { testDatabase } from '#tests/support/database.ts'
import { assertReachable } from './assert-reachable.ts'

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const field = (type: string, text: string) => `${type}${text}\0`

/** Refuses a parameter of the connection, as PgBouncer does. @returns its address */
async function poolerThatRefuses(parameter: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (startup) => {
      const isSent = startup.includes(parameter)
      const code = isSent ? '08P01' : '28000'
      const message = isSent ? `unsupported startup parameter: ${parameter}` : 'not sent'
      const body = Buffer.from(`${field('S', 'FATAL')}${field('C', code)}${field('M', message)}\0`)
      const head = Buffer.alloc(5)
      head.write('E')
      head.writeInt32BE(body.length + 4, 1)
      socket.end(Buffer.concat([head, body]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return `postgres://shop@127.0.0.1:${(server.address() as AddressInfo).port}/shop`
}

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
