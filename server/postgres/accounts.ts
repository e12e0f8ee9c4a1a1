/** The system users that PostgreSQL's programs run as, and running them. */
import { spawn } from 'node:child_process'
import { StartError } from '#server/errors.ts'

/**
 * The system user a program runs as; undefined means the user of this process. One that `passes` may enter and read any
 * folder, though not write there: root gives it this one of its own rights, so that it gets to what is its own inside a
 * folder that is closed to others.
 */
export type Account = { uid: number; gid: number; passes?: boolean } | undefined

export type Ended = { code: number | null; output: string; error: string }

/** What PostgreSQL's programs see of the environment: nothing of ours, no secrets, no PG* settings. */
export const BARE_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** What to spawn so that a program runs as an account: `[file, args, options]`. */
export function spawnedAs(account: Account, file: string, args: string[]) {
  if (!account?.passes) return [file, args, account ?? {}] as const
  const { uid, gid } = account
  // Without the bit, access(2) does not count the right, and initdb finds no postgres beside it. What else root may
  // ends with setpriv: a program that it runs as another user gets the ambient rights alone.
  const capabilities = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ]
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilities]
  return ['setpriv', [...as, '--', file, ...args], {}] as const
}

/** Runs a program to its end, in the root folder, with `input` on its standard input. Never rejects. */
export function run(
  file: string,
  args: string[],
  options: { account?: Account; input?: string } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const ended: Ended = { code: null, output: '', error: '' }
    const failed = (error: Error) => resolve({ ...ended, error: error.message })
    try {
      const [command, words, as] = spawnedAs(options.account, file, args)
      const child = spawn(command, words, { cwd: '/', env: BARE_ENV, ...as })
      child.stdout.on('data', (chunk) => {
        ended.output += chunk
      })
      child.stderr.on('data', (chunk) => {
        ended.error += chunk
      })
      child.on('error', failed)
      child.on('close', (code) => resolve({ ...ended, code }))
      // A program that ends before it has read everything says why on stderr.
      child.stdin.on('error', () => {})
      child.stdin.end(options.input ?? '')
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

const SERVICE_USER = 'ferrite'

/** Is this process root? PostgreSQL refuses to run as root, so it then runs as another user. */
export const isRoot = (): boolean => process.getuid?.() === 0

/** The service user that PostgreSQL runs as when root starts the shop; created when missing. */
export async function serviceAccount(): Promise<Account> {
  const existingAccount = await lookUp(SERVICE_USER)
  if (existingAccount) return existingAccount
  const useradd = await run('useradd', [
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
  const why = useradd.error.trim().split('\n').at(-1)
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
