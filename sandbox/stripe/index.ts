import { Hono } from 'hono'
import type { Pool } from 'pg'
import { apiRoutes } from './api.ts'
import { controlRoutes } from './controls.ts'
import { pageRoutes } from './pages.ts'
import { createSchema } from './schema.ts'
import { deliverer } from './webhooks.ts'

export type StripeSandboxOptions = {
  /** All processes on this database share the state, which is in the schema `sandbox_stripe`. */
  pool: Pool
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** The URL for signed events. */
  webhookUrl: () => string
  /** The path where this is mounted, such as `/sandbox/stripe`. */
  basePath: string
  /** Whether the test controls under `/_sandbox` exist. */
  controls: boolean
  log?: (line: string) => void
}

export type StripeSandbox = {
  app: Hono
  /** Creates the schema and resumes undelivered webhooks. */
  start(): Promise<void>
  /** Stops deliveries and waits for those in flight. */
  stop(): Promise<void>
}

/**
 * Simulates Stripe on the shop's own origin: the REST calls that the shop makes under `/v1`,
 * `/stripe.js` with the card and 3-D Secure frames, and signed webhooks. It accepts only published
 * test cards.
 */
export function stripeSandbox(options: StripeSandboxOptions): StripeSandbox {
  const log = options.log ?? (() => {})
  const deliveries = deliverer({ ...options, log })
  const { wake } = deliveries
  const app = new Hono()
  app.route('/v1', apiRoutes({ ...options, log, wake }))
  app.route('/', pageRoutes({ ...options, wake }))
  if (options.controls) app.route('/_sandbox', controlRoutes(options.pool, wake))
  return {
    app,
    async start() {
      await createSchema(options.pool)
      deliveries.start()
    },
    stop: () => deliveries.stop(),
  }
}
