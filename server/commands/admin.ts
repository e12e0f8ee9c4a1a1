/**
 * `npm run admin -- EMAIL`: makes or restores an admin on this machine, whether the shop runs or
 * not. With `--second-factor-off`, only switches the second factor of an account off, for a user who
 * lost the phone and the recovery codes.
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
  identityOf,
  setRole,
  upsertFromProof,
} from '#server/features/users/store.ts'
import { visitShop } from './with-adapters.ts'

/** The name of a new account; its user can change it under My Profile. */
const newName = 'Shop owner'

/**
 * Makes the account of this address a working admin without a second factor, even if it was unknown,
 * unverified, blocked or taken over by another user. Running this command requires access to the machine, which is access
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
  const hadFactor = await identity.removeSecondFactor(proof)
  const sessions = await identity.signIns(proof)
  const ids = (sessions ?? []).map(({ sessionId }) => sessionId)
  await identity.endSignIns(proof, ids)
  return {
    isNew: before.length === 0,
    hadFactor,
    wasAdmin: before.some(({ role, emailVerified }) => role === 'admin' && emailVerified),
    link: await identity.passwordLink(proof),
  }
}

/**
 * Switches the second factor of the accounts of this address off. Passwords and sessions stay.
 * @throws StartError for an unknown address, or one without a second factor
 */
async function switchOff({ db, identity }: { db: Database; identity: Identity }, email: string) {
  const accounts = await findByEmail(db, email)
  if (accounts.length === 0) throw new StartError(`Nobody here has the address ${email}.`)
  let wasOn = false
  for (const { _id: userId } of accounts) {
    if (!(await identity.removeSecondFactor(await identityOf(db, userId)))) continue
    wasOn = true
    const detail = { by: 'npm run admin' }
    await db.transaction((tx) =>
      logActions(tx, [{ actor: null, action: 'second factor off', userId, detail }]),
    )
  }
  if (!wasOn) throw new StartError(`${email} has no second factor.`)
}

const offSwitch = '--second-factor-off'
const typedWords = process.argv.slice(2)
const [typed, ...more] = typedWords.filter((word) => word !== offSwitch)

async function run(): Promise<void> {
  if (!typed || more.length > 0) throw new StartError('Name one address: npm run admin -- EMAIL')
  const { data: email } = Email.safeParse(typed)
  if (!email) throw new StartError(`“${typed}” is no e-mail address.`)
  if (typedWords.includes(offSwitch)) {
    await visitShop(processSettings(), 'npm run admin', (deps) => switchOff(deps, email))
    console.log(`The second factor of ${email} is off. The password alone logs in.`)
    return
  }
  const { wasAdmin, isNew, hadFactor, link } = await visitShop(
    processSettings(),
    'npm run admin',
    (deps) => restoreAdmin(deps, email),
  )
  const now = wasAdmin ? 'is an admin, as before' : 'is an admin now'
  const way = link
    ? `While the shop runs, this link sets a password, once and within an hour:\n\n  ${link}\n`
    : 'Firebase keeps the password: log in at the shop, sign up with this address, or use ‘Forgot password?’ there.'
  console.log(
    `${email} ${now}${isNew ? ', with a new account' : ''}. Earlier sign-ins have ended.${hadFactor ? ' The second factor is off.' : ''}\n${way}`,
  )
}

run().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
