import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import type { IdentityEvents } from './port.ts'

type Settings = {
  /** Checks an account's name and address. @returns the problem, or null */
  problemWith: (account: { name?: string; email?: string }) => string | null
}
type Events = Pick<IdentityEvents, 'passwordTried' | 'passwordChanged'>
type Claims = { updateTo?: unknown; requestType?: unknown }

const refusal = (code: string, message: string) => new APIError('BAD_REQUEST', { code, message })

/** The new address in a mailed link that changes it; undefined for other links. */
export async function addressIn(token: string, secret: string): Promise<string | null> {
  const { updateTo } = (await verifyJWT<Claims>(token, secret)) ?? {}
  return typeof updateTo === 'string' ? updateTo : null
}

/**
 * Changing an account's address or password requires its password, so that a stolen session cannot
 * take over the account. Guesses count per account. For a change of password, the library checks
 * the password itself.
 */
export function accountChanges(settings: Settings, events: Events) {
  const changeEmail = createAuthMiddleware(async (c) => {
    const session = await getSessionFromCtx(c)
    // the library refuses a request without a session
    if (!session) return
    const { newEmail, password } = (c.body ?? {}) as { newEmail?: unknown; password?: unknown }
    const problem = settings.problemWith({ email: String(newEmail) })
    if (problem) throw refusal('INVALID_EMAIL', problem)
    await events.passwordTried(session.user.id)
    const account = await c.context.internalAdapter.findCredentialAccount(session.user.id)
    const isRight =
      account?.password &&
      typeof password === 'string' &&
      (await c.context.password.verify({ hash: account.password, password }))
    if (!isRight) throw refusal('INVALID_PASSWORD', 'This is not the password of the account')
  })
  const changePassword = createAuthMiddleware(async (c) => {
    const session = await getSessionFromCtx(c)
    if (!session) return
    await events.passwordTried(session.user.id)
    // always ends other sessions: a stranger's session may be the reason for the change
    return { context: { body: { ...c.body, revokeOtherSessions: true } } }
  })
  const passwordChanged = createAuthMiddleware(async (c) => {
    const { newSession, returned } = c.context
    if (newSession && !isAPIError(returned)) {
      await events.passwordChanged(newSession.user.id, newSession.user.email)
    }
  })
  const addressTaken = createAuthMiddleware(async (c) => {
    const email = await addressIn(String(c.query?.token ?? ''), c.context.secret)
    if (email && (await c.context.internalAdapter.findUserByEmail(email))) {
      throw c.redirect('/verified?error=ADDRESS_TAKEN')
    }
  })
  return {
    id: 'account-changes',
    hooks: {
      before: [
        { matcher: ({ path }) => path === '/change-email', handler: changeEmail },
        { matcher: ({ path }) => path === '/change-password', handler: changePassword },
        { matcher: ({ path }) => path === '/verify-email', handler: addressTaken },
      ],
      after: [{ matcher: ({ path }) => path === '/change-password', handler: passwordChanged }],
    },
  } satisfies BetterAuthPlugin
}
