/**
 * The shop as its owner runs it: the real process with its own data folder, which can be stopped,
 * killed and restarted.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { shopEnvironment, shopFlags } from '#scripts/node-options.js'
import { dataFolder, readyDataFolder, removeDataFolder } from './data-folder.ts'
import { rememberToken } from './sandbox-token.ts'

const root = join(import.meta.dirname, '../..')

export type ShopProcess = {
  pid: number | undefined
  origin: string
  dataDir: string
  output(): string
  /**
   * Sends a signal `times` times, and waits for the exit.
   * @returns the exit code, null after kill -9
   */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL', times?: number): Promise<number | null>
  /** Starts again with the same data and port, after `end`. */
  restart(): Promise<ShopProcess>
  /** Ends it and its restarted processes if they run, and removes its data. */
  remove(): Promise<void>
}

export type ShopEnvironment = Record<string, string>

/**
 * Makes password hashes cheap in a shop whose tests are not about them: each real one takes a tenth
 * of a second of a core.
 */
export const quickPasswords: ShopEnvironment = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'quick-passwords.ts'))}`,
}

let building: Promise<unknown> | undefined

/** The path of a program in dist/, once it is built from the current sources. */
export async function program(name: 'main' | 'backup' | 'doctor' | 'admin' | 'go-live' | 'images') {
  building ??= promisify(execFile)(process.execPath, [join(root, 'scripts/start.js'), '--build'])
  await building
  return join(root, 'dist', `${name}.js`)
}

/** Runs a command of the shop, such as `npm run doctor`, without npm. */
export async function runProgram(
  name: Parameters<typeof program>[0],
  words: string[],
  settings: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  const file = await program(name)
  const env = { ...process.env, NODE_ENV: 'production', ...settings }
  return new Promise((resolve) =>
    execFile(process.execPath, [file, ...words], { cwd: root, env }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), output: `${output}${errors}`.trim() }),
    ),
  )
}

/**
 * Runs the shop as `npm start` does, until it is ready or has exited.
 * @param place another folder than the checkout, and the program in it
 */
export async function spawnShop(
  environment: ShopEnvironment,
  words: string[] = [],
  place?: { folder: string; main: string },
) {
  const child = spawn(
    process.execPath,
    [...shopFlags, place?.main ?? (await program('main')), ...words],
    {
      cwd: place?.folder ?? root,
      env: { ...shopEnvironment, ...process.env, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  // an interrupted test leaves no shop running
  const stop = () => child.kill()
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
  const ready = new Promise<boolean>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Ready in')) resolve(true)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => resolve(false))
  })
  return { child, isReady: await ready, output: () => output }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/**
 * Starts a shop on a free port.
 * @throws Error with its output if it does not open
 */
export async function startShop(
  environment: ShopEnvironment = {},
  dataDir?: string,
  place?: Parameters<typeof spawnShop>[2],
): Promise<ShopProcess> {
  const folder = dataDir ?? (await (environment.DATABASE_URL ? dataFolder() : readyDataFolder()))
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    RATE_LIMIT: 'off',
    SANDBOX_CONTROLS: environment.PUBLIC_URL || environment.HOST ? 'off' : 'on',
    JOB_SECONDS: '1',
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL: 'owner@ferrite.example',
    ADMIN_PASSWORD: 'owner-password',
    ...environment,
  }
  const { child, isReady, output } = await spawnShop(settings, [], place)
  const origin = /Open (http:\S+)/.exec(output())?.[1]
  if (!isReady || !origin) {
    child.kill()
    throw new Error(`the shop did not open:\n${output()}`)
  }
  rememberToken(origin, /token=(\S+)/.exec(output())?.[1])
  let next: ShopProcess | undefined
  const end: ShopProcess['end'] = (signal, times = 1) => {
    for (let i = 0; i < times; i += 1) child.kill(signal)
    return ended(child)
  }
  return {
    pid: child.pid,
    origin,
    dataDir: folder,
    output,
    end,
    async restart() {
      next = await startShop({ ...environment, PORT: new URL(origin).port }, folder, place)
      return next
    },
    async remove() {
      await next?.end('SIGTERM')
      await end('SIGTERM')
      await removeDataFolder(folder)
    },
  }
}

/** The running processes that a process has started, without the one that lists them. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const listing = promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat='])
  const { stdout } = await listing
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/))
  return all
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
    .map(([child]) => Number(child))
    .filter((child) => child !== listing.child.pid)
}
