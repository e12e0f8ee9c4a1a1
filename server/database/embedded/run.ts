import { spawn } from 'node:child_process'

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
  const right = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ]
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...right]
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
