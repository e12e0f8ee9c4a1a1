import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'

type Claims = { email?: unknown }

/**
 * A click on a confirmation mail counts where the account is signed in, and nowhere else: the mail reaches the owner
 * of the address, also when another user signed up with it, and that click must not make that account trusted. Anywhere
 * else the link leads to a page that asks for the password, and then back here. So does a link that changes an address.
 */
export const confirmWhereSignedIn = createAuthMiddleware(async (c) => {
  if (c.path !== '/verify-email') return
  const token = String(c.query?.token ?? '')
  const { email } = (await verifyJWT<Claims>(token, c.context.secret)) ?? {}
  // of a token that is none, or too old, the library says so
  if (typeof email !== 'string') return
  const found = await c.context.internalAdapter.findUserByEmail(email)
  if (!found) return
  const session = await getSessionFromCtx(c)
  if (session?.user.id === found.user.id) return
  throw c.redirect(`/verified?${new URLSearchParams({ token, email })}`)
})
