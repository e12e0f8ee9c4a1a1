import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'

type Claims = { email?: unknown }

/**
 * A confirmation link counts only where the account is signed in. The mail reaches the owner of the address even when another
 * user signed up with it, and the owner's click must not make that account trusted. Elsewhere the link, like one that changes
 * an address, leads to a page that asks for the password, and then back here.
 */
export const confirmWhereSignedIn = createAuthMiddleware(async (c) => {
  if (c.path !== '/verify-email') return
  const token = String(c.query?.token ?? '')
  const { email } = (await verifyJWT<Claims>(token, c.context.secret)) ?? {}
  // the library refuses an invalid or expired token
  if (typeof email !== 'string') return
  const found = await c.context.internalAdapter.findUserByEmail(email)
  if (!found) return
  const session = await getSessionFromCtx(c)
  if (session?.user.id === found.user.id) return
  throw c.redirect(`/verified?${new URLSearchParams({ token, email })}`)
})
