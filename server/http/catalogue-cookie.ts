/** A visitor who changed what all see, sees it at once, whichever process answers: the cookie says how new it must be. */
import { createMiddleware } from 'hono/factory'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import type { Env } from './guards.ts'

const name = 'ferrite.catalogue'
/** Seconds. After it every process has asked the database anew, several times. */
const maxAge = 5
const inHeader = /(?:^|;\s*)ferrite\.catalogue=(\d{1,15})(?=;|$)/

/** The catalogue version that a request must be answered with, at least; undefined for nearly all. */
export const catalogueIn = (cookies: string | null | undefined): number | undefined => {
  const found = cookies && inHeader.exec(cookies)
  return found ? Number(found[1]) : undefined
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Sets it with the answer to a change that the catalogue's version moved with. */
export function setCatalogueCookie(catalogue: CatalogueCache, https: boolean) {
  const ending = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  return createMiddleware<Env>(async (c, next) => {
    if (reading.has(c.req.method)) return next()
    const before = catalogue.lastTotal()
    await next()
    if (!c.res.ok) return
    // the change is done, whether or not its version can be told
    const after = await catalogue.total().catch(() => before)
    if (after !== before) c.header('set-cookie', `${name}=${after}; ${ending}`, { append: true })
  })
}
