/** A cookie after a client's own change: for some seconds every process answers it with what the database knows then. */
import { createMiddleware } from 'hono/factory'
import type { AsOf, CatalogueCache } from '#server/database/catalogue.ts'
import type { Env } from './guards.ts'

const name = 'ferrite.catalogue'
/** Seconds; by then every process has asked the database several times. */
const maxAge = 5
const inHeader = /(?:^|;\s*)ferrite\.catalogue=/

/** How fresh the answer to the request must be. */
export const freshnessFor = (cookies: string | null | undefined): AsOf =>
  cookies && inHeader.test(cookies) ? 'now' : 'this second'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Sets the cookie on the response to every change, and lets this process ask the database before it answers the next
 * reader, who may have no cookies. The change itself does not wait to hear whether others see it.
 */
export function setCatalogueCookie(catalogue: CatalogueCache, https: boolean) {
  const cookie = `${name}=changed; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  return createMiddleware<Env>(async (c, next) => {
    await next()
    if (!c.res.ok || reading.has(c.req.method)) return
    catalogue.changed()
    c.header('set-cookie', cookie, { append: true })
  })
}
