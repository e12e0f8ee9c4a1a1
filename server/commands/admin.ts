/** `npm run admin -- EMAIL`: makes or restores an admin from the machine, whether the shop runs or not. */
import { Email } from '#contracts/users.ts'
import { processSettings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { restoreAdmin } from './restore-admin.ts'
import { visitShop } from './with-adapters.ts'

const [typed, ...more] = process.argv.slice(2)

async function run(): Promise<void> {
  if (!typed || more.length > 0) throw new StartError('Name one address: npm run admin -- EMAIL')
  const { data: email } = Email.safeParse(typed)
  if (!email) throw new StartError(`“${typed}” is no e-mail address.`)
  const { wasAdmin, isNew, link } = await visitShop(processSettings(), 'npm run admin', (deps) =>
    restoreAdmin(deps, email),
  )
  const now = wasAdmin ? 'is an admin, as before' : 'is an admin now'
  console.log(`${email} ${now}${isNew ? ', with a new account' : ''}. Earlier sign-ins have ended.
While the shop runs, this link sets a password, once and within an hour:

  ${link}
`)
}

run().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
