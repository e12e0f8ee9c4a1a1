/** A cookie with the catalogue version after a client's own change: every process answers it that version or a newer one. */
import { createMiddleware } from 'hono/factory'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import type { Env } from './guards.ts'

const name = 'ferrite.catalogue'
/** Seconds; by then every process has asked the database several times. */
const maxAge = 5
const inHeader = /(?:^|;\s*)ferrite\.catalogue=(\d{1,15})(?=;|$)/

/** The oldest catalogue version that may answer the request; undefined for nearly all. */
export const catalogueIn = (cookies: string | null | undefined): number | undefined => {
  const found = cookies && inHeader.exec(cookies)
  return found ? Number(found[1]) : undefined
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Sets the cookie on the response to a change of the catalogue. */
export function setCatalogueCookie(catalogue: CatalogueCache, https: boolean) {
  const ending = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  return createMiddleware<Env>(async (c, next) => {
    if (reading.has(c.req.method)) return next()
    const before = catalogue.lastTotal()
    await next()
    if (!c.res.ok) return
    // the change is made, whether or not the version can be read
    const after = await catalogue.total().catch(() => before)
    if (after !== before) c.header('set-cookie', `${name}=${after}; ${ending}`, { append: true })
  })
}
