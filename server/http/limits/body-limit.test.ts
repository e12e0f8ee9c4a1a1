import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { errorStatus } from '#contracts/errors.ts'
import { describeFailure } from '#server/http/errors.ts'
import { bodyLimit } from './body-limit.ts'

const limit = 256 * 1024

function shop() {
  const app = new Hono<{ Variables: { caller: object | null } }>()
  app.use(async (c, next) => {
    const role = c.req.header('authorization')
    c.set('caller', role ? { role, emailVerified: true } : null)
    await next()
  })
  app.use(bodyLimit({ visitors: 0, customers: 0 }, limit))
  app.post('/read', async (c) => c.text(String((await c.req.text()).length)))
  app.post('/refuse', (c) => c.text('not yours', 403))
  app.onError((error, c) => c.text(error.message, errorStatus[describeFailure(error).code]))
  return app
}

/** A body without a declared length: this many bytes, then nothing until it is finished. */
function unfinished(bytes: number) {
  const piece = new Uint8Array(50_000)
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  let sentBytes = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sentBytes >= bytes) {
        await end
        return controller.close()
      }
      const chunk = piece.subarray(0, Math.min(piece.length, bytes - sentBytes))
      sentBytes += chunk.length
      controller.enqueue(chunk)
    },
  })
  return { body, finish, sentBytes: () => sentBytes }
}
const send = (app: ReturnType<typeof shop>, path: string, body: ReadableStream, role = '') => {
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    body,
    duplex: 'half',
    ...(role && { headers: { authorization: role } }),
  }
  return app.request(path, init)
}

test('an unread body is not awaited, and one that is too large is cut off', async () => {
  const app = shop()
  expect((await send(app, '/refuse', unfinished(200_000).body)).status).toBe(403)
  const large = unfinished(10_000_000)
  expect((await send(app, '/read', large.body)).status).toBe(413)
  expect(large.sentBytes()).toBeLessThan(limit + 200_000)
  const fits = unfinished(200_000)
  fits.finish()
  expect(await (await send(app, '/read', fits.body)).text()).toBe('200000')
})

test.each([
  ['visitors', '', 'customer'],
  ['customers', 'customer', ''],
])(
  'bodies of %s share a limit of memory; small bodies and others still pass',
  async (_, role, other) => {
    const app = shop()
    const waiting = Array.from({ length: 280 }, () => unfinished(250_000))
    const answers = waiting.map(({ body }) => send(app, '/read', body, role))
    const first = await Promise.any(answers)
    expect(first.status).toBe(503)
    const whole = (bytes: number) => {
      const { body, finish } = unfinished(bytes)
      finish()
      return body
    }
    expect((await send(app, '/read', whole(5_000), role)).status).toBe(200)
    for (const passing of [other, 'packer', 'admin'])
      expect((await send(app, '/read', whole(200_000), passing)).status).toBe(200)
    for (const { finish } of waiting) finish()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(150)
    expect((await send(app, '/read', whole(200_000), role)).status).toBe(200)
  },
)
