/** /healthz, /readyz and /metrics, for monitoring. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { version } from '#server/version.ts'
import type { Deps } from '#server/wiring.ts'
import { carriesToken } from './metrics.ts'

type Watched = {
  deps: Pick<Deps, 'catalogue' | 'disk' | 'metrics'>
  isClosing: () => boolean
  /** The bearer token of /metrics, which does not exist without one. */
  metricsToken: string | undefined
}

const notCached = createMiddleware(async (c, next) => {
  await next()
  c.header('cache-control', 'no-store')
})

/**
 * `/healthz` returns 200 and the shop's version while the database responds, and `degraded` while
 * the disk is too full to write. `/readyz` returns 200 while this process accepts requests, so not
 * while it stops. `/metrics` returns the metrics to clients with the token.
 */
export function healthRoutes({ deps, isClosing, metricsToken }: Watched) {
  const databaseAnswers = () => deps.catalogue.databaseAnswers('this second')
  return new Hono()
    .get('/healthz', notCached, async (c) => {
      if (!(await databaseAnswers())) return c.json({ status: 'unavailable' }, 503)
      return c.json({ status: deps.disk.isFull() ? 'degraded' : 'ok', version })
    })
    .get('/readyz', notCached, async (c) => {
      if (isClosing()) return c.json({ status: 'stopping' }, 503)
      const ready = await databaseAnswers()
      return c.json({ status: ready ? 'ready' : 'unavailable' }, ready ? 200 : 503)
    })
    .get('/metrics', notCached, async (c) => {
      if (!metricsToken) return c.text('Set METRICS_TOKEN to read figures here', 404)
      if (!carriesToken(c.req.header('authorization'), metricsToken)) {
        c.header('www-authenticate', 'Bearer')
        return c.text('Send the token of METRICS_TOKEN as a bearer', 401)
      }
      const { text, contentType } = await deps.metrics.read()
      return c.body(text, 200, { 'content-type': contentType })
    })
}
