import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
/** Node 24 from the installed packages; missing before the first install. */
export const node =
  process.platform === 'win32'
    ? inRoot('node_modules', 'node', 'bin', 'node.exe')
    : inRoot('node_modules', '.bin', 'node')

export function inRoot(/** @type {string[]} */ ...parts) {
  return path.join(root, ...parts)
}

/** An error that ends a command; only its message is shown. */
export class Problem extends Error {}

/** A signal requested a stop. */
class Stopped extends Error {
  constructor(/** @type {NodeJS.Signals} */ signal) {
    super(signal)
    this.code = 128 + constants.signals[signal]
  }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
/** @type {Set<NodeJS.Signals>} */
const received = new Set()

// Forwards each signal to the running child once; this process ends after the child.
function pass(/** @type {NodeJS.Signals} */ signal) {
  if (received.has(signal)) return
  received.add(signal)
  for (const child of children) child.kill(signal)
  if (children.size === 0) process.exit(128 + constants.signals[signal])
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass)

// A killed npm does not forward a signal, so this process then stops as after SIGTERM.
const parent = process.ppid
const watchParent = () => process.ppid !== parent && pass('SIGTERM')
if (process.env.npm_lifecycle_event) setInterval(watchParent, 200).unref()

/** @typedef {{ env?: NodeJS.ProcessEnv, cwd?: string, quiet?: boolean, label?: string, shell?: boolean, tied?: boolean }} Options */

/**
 * Prints a stream line by line with a label, so that several commands can print at the same time.
 */
function showLines(
  /** @type {import('node:stream').Readable} */ stream,
  /** @type {string} */ label,
) {
  createInterface(stream).on('line', (line) => console.log(`${label.padEnd(7)} │ ${line}`))
}

/**
 * Runs a command, by default in the checkout. `quiet` collects its output instead of printing it;
 * `label` precedes each line. `tied` gives it a channel that closes when this process dies, even by
 * kill -9, so that it can end, too.
 * @param {string} file
 * @param {string[]} args
 * @param {Options} options
 * @returns {Promise<{ code: number, output: string }>} a death by signal counts as code 128 + its
 * number
 */
export function run(file, args, { env = process.env, cwd = root, quiet, label, shell, tied } = {}) {
  return new Promise((resolve, reject) => {
    const sharedStreams = tied ? [0, 1, 2, 'ipc'] : 'inherit'
    const stdio = /** @type {import('node:child_process').StdioOptions} */ (
      quiet || label ? ['ignore', 'pipe', 'pipe'] : sharedStreams
    )
    const child = spawn(file, args, { cwd, env, stdio, shell })
    children.add(child)
    let output = ''
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk
    }
    for (const stream of [child.stdout, child.stderr]) {
      if (label && stream) showLines(stream, label)
      else stream?.on('data', collect)
    }
    child.on('error', (error) => {
      children.delete(child)
      reject(new Problem(`${path.basename(file)} could not be started (${error.message}).`))
    })
    child.on('close', (code, signal) => {
      children.delete(child)
      resolve({ code: signal ? 128 + constants.signals[signal] : (code ?? 1), output })
    })
  })
}

/**
 * Like run with `quiet`, for an intermediate step: after a signal, no further step runs.
 * @param {string} file
 * @param {string[]} args
 * @param {Options} options
 */
export async function step(file, args, options = {}) {
  endIfStopped()
  const ended = await run(file, args, { ...options, quiet: true })
  endIfStopped()
  return ended
}

function endIfStopped() {
  const [signal] = received
  if (signal) throw new Stopped(signal)
}

/** @returns the code of a system error, such as EEXIST */
export const codeOf = (/** @type {unknown} */ error) =>
  error instanceof Error && 'code' in error ? error.code : undefined

/**
 * Runs the body of a command: for a Problem, prints its message to stderr and exits with 1.
 * @param {() => Promise<number>} body
 */
export async function main(body) {
  try {
    process.exitCode = await body()
  } catch (error) {
    if (error instanceof Stopped) process.exit(error.code)
    const code = String(codeOf(error))
    if (error instanceof Problem) console.error(error.message)
    else if (code === 'ENOSPC') console.error(diskFull)
    else if (['EACCES', 'EPERM', 'EROFS'].includes(code)) console.error(notWritable)
    else throw error
    process.exitCode = 1
  }
}

export const diskFull = `The disk that holds ${root} is full: free at least 1 GB and try again.`
export const notWritable = `This user may not write to ${root}: run as the user who owns the folder, or give it to yourself with chown -R.`

/** The last lines of a command's output. */
export function tail(/** @type {string} */ output, lines = 30) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}

export const seconds = (/** @type {number} */ since) =>
  `${((Date.now() - since) / 1000).toFixed(1)} s`
