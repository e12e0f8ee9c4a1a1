/**
 * `npm run admin -- EMAIL`: makes or restores an admin on this machine, whether the shop runs or
 * not.
 */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Email } from '#contracts/users.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { users } from '#server/database/schema/users.ts'
import { processSettings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { expectAccount } from '#server/features/users/other-provider.ts'
import {
  endAllTokens,
  findByEmail,
  setRole,
  upsertFromProof,
} from '#server/features/users/store.ts'
import { visitShop } from './with-adapters.ts'

/** The name of a new account; its user can change it under My Profile. */
const newName = 'Shop owner'

/**
 * Makes the account of this address a working admin, even if it was unknown, unverified, blocked or
 * taken over by another user. Running this command requires access to the machine, which is access
 * to the shop.
 * @returns the account's earlier state, and a link that sets a password when the provider offers
 * one
 * @throws StartError when only its owner can verify the account
 */
async function restoreAdmin({ db, identity }: { db: Database; identity: Identity }, email: string) {
  const before = await findByEmail(db, email)
  const password = randomBytes(24).toString('base64url')
  const account = { email, password, name: newName }
  const proof = identity.ensureAccount
    ? await identity.ensureAccount(account)
    : await expectAccount(db, identity, account)
  await db.transaction(async (tx) => {
    const user = await upsertFromProof(tx, proof)
    await tx.update(users).set({ disabledAt: null }).where(eq(users._id, user._id))
    await setRole(tx, [user._id], 'admin')
    await endAllTokens(tx, proof)
    const detail = { email, by: 'npm run admin' }
    await logActions(tx, [{ actor: null, action: 'admin made', userId: user._id, detail }])
  })
  const sessions = await identity.signIns(proof)
  const ids = (sessions ?? []).map(({ sessionId }) => sessionId)
  await identity.endSignIns(proof, ids)
  return {
    isNew: before.length === 0,
    wasAdmin: before.some(({ role, emailVerified }) => role === 'admin' && emailVerified),
    link: await identity.passwordLink(proof),
  }
}

const [typed, ...more] = process.argv.slice(2)

async function run(): Promise<void> {
  if (!typed || more.length > 0) throw new StartError('Name one address: npm run admin -- EMAIL')
  const { data: email } = Email.safeParse(typed)
  if (!email) throw new StartError(`“${typed}” is no e-mail address.`)
  const { wasAdmin, isNew, link } = await visitShop(processSettings(), 'npm run admin', (deps) =>
    restoreAdmin(deps, email),
  )
  const now = wasAdmin ? 'is an admin, as before' : 'is an admin now'
  const way = link
    ? `While the shop runs, this link sets a password, once and within an hour:\n\n  ${link}\n`
    : 'Firebase keeps the password: log in at the shop, sign up with this address, or use ‘Forgot password?’ there.'
  console.log(
    `${email} ${now}${isNew ? ', with a new account' : ''}. Earlier sign-ins have ended.\n${way}`,
  )
}

run().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
