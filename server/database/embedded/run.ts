import { spawn } from 'node:child_process'

/** The system user a program runs as; undefined means the user of this process. */
export type Account = { uid: number; gid: number } | undefined

export type Ended = { code: number | null; output: string; error: string }

/** What PostgreSQL's programs see of the environment: nothing of ours, no secrets, no PG* settings. */
export const BARE_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

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
      const child = spawn(file, args, { cwd: '/', env: BARE_ENV, ...options.account })
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
