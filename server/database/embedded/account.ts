import { type Account, run } from '#server/database/embedded/run.ts'
import { StartError } from '#server/start-error.ts'

const SERVICE_USER = 'ferrite'

/** Is this process root? PostgreSQL refuses to run as root, so it then runs as another user. */
export const isRoot = (): boolean => process.getuid?.() === 0

/** The service user that PostgreSQL runs as when root starts the shop; created when missing. */
export async function serviceAccount(): Promise<Account> {
  const known = await lookUp(SERVICE_USER)
  if (known) return known
  const made = await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir=/nonexistent',
    '--shell=/usr/sbin/nologin',
    SERVICE_USER,
  ])
  // Of two starts at once one is refused by useradd, but the user is there all the same.
  const account = await lookUp(SERVICE_USER)
  if (account) return account
  const why = made.error.trim().split('\n').at(-1)
  throw new StartError(
    `PostgreSQL does not run as root and the user ${SERVICE_USER} could not be made (${why}): ` +
      'start the shop as an ordinary user, or set DATABASE_URL.',
  )
}

/** Has the system a user of this number? initdb wants its name. */
export async function isKnownUser(uid: number): Promise<boolean> {
  return (await run('id', ['-nu', String(uid)])).code === 0
}

/** Can this user enter the folder and write in it? Tried by a child that runs as the user. */
export async function canUse(folder: string, account: Account): Promise<boolean> {
  const script = 'cd "$0" && : > .probe && rm .probe'
  return (await run('/bin/sh', ['-c', script, folder], { account })).code === 0
}

async function lookUp(name: string): Promise<Account> {
  const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  if (user.code !== 0 || group.code !== 0) return undefined
  return { uid: Number(user.output), gid: Number(group.output) }
}
