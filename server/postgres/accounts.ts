/** The system users of PostgreSQL's programs, and functions to run these. */
import { spawn } from 'node:child_process'
import { StartError } from '#server/errors.ts'

/**
 * The system user a program runs as; undefined means the user of this process. With `passes`, the
 * user may enter and read any folder, but not write there: root gives it this one capability, so
 * that it can reach its own files inside a folder that is closed to others.
 */
export type Account = { uid: number; gid: number; passes?: boolean } | undefined

export type Ended = { code: number | null; output: string; error: string }

/** The environment of PostgreSQL's programs: none of our variables, no secrets, no PG* settings. */
export const BARE_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** The spawn arguments to run a program as an account: `[file, args, options]`. */
export function spawnedAs(account: Account, file: string, args: string[]) {
  if (!account?.passes) return [file, args, account ?? {}] as const
  const { uid, gid } = account
  // Without this bit, access(2) ignores the capability, and initdb does not find postgres beside
  // it. Root's other capabilities end with setpriv: a program that it runs as another user gets
  // only the ambient ones.
  const capabilities = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ]
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilities]
  return ['setpriv', [...as, '--', file, ...args], {}] as const
}

/**
 * Runs a program to its end, in the root folder, with `input` on its standard input. Never rejects.
 */
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
      // A program that ends before it has read everything reports the reason on stderr.
      child.stdin.on('error', () => {})
      child.stdin.end(options.input ?? '')
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

const SERVICE_USER = 'ferrite'

/**
 * Whether this process is root. PostgreSQL refuses to run as root, so it then runs as another user.
 */
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
  // When two processes start at once, useradd refuses one of them, but the user exists for both.
  const account = await lookUp(SERVICE_USER)
  if (account) return account
  const why = useradd.error.trim().split('\n').at(-1)
  throw new StartError(
    `PostgreSQL does not run as root and the user ${SERVICE_USER} could not be made (${why}): ` +
      'start the shop as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the system has a user with this number. initdb needs its name. */
export async function isKnownUser(uid: number): Promise<boolean> {
  return (await run('id', ['-nu', String(uid)])).code === 0
}

/** Whether this user can enter the folder and write in it. A child process tries it as the user. */
export async function canUse(folder: string, account: Account): Promise<boolean> {
  const script = 'cd "$0" && : > .probe && rm .probe'
  return (await run('/bin/sh', ['-c', script, folder], { account })).code === 0
}

async function lookUp(name: string): Promise<Account> {
  const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  if (user.code !== 0 || group.code !== 0) return undefined
  return { uid: Number(user.output), gid: Number(group.output) }
}
