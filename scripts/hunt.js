// npm run test:hunt -- N [NAME …]: runs the gate's tests, or those of these names, N more times
// under changing load.
// npm run test:hunt -- N --gates: runs whole gates, each in a fresh clone, until N in a row pass
// without a flaky story.
// npm run test:hunt: lists every recorded round. An interrupted hunt continues with its unfinished
// round.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { browsersToTry } from './browser.js'
import { ensureInstalled } from './prepare.js'
import { main, Problem, root, step } from './run.js'

/** @typedef {{ file: string, title: string, trace?: string }} Failure */
/** @typedef {{ passed: number, failed: number, failures: Failure[], flaky: Failure[] }} Result */
/** @typedef {{ at: string, commit: string, tests: string, load: string, browser: string, seconds: number, kept?: string }} About */
/** @typedef {About & Result} Round */

const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache')
/** Outlives the checkout: the rounds, and the results of those that failed. */
const FOLDER = process.env.FERRITE_HUNT ?? path.join(cache, 'ferrite', 'hunt')
const ROUNDS = path.join(FOLDER, 'rounds.jsonl')
/** A folder on disk, because /tmp may be in memory. */
const DISK = existsSync('/var/tmp') ? '/var/tmp' : tmpdir()
const GATES = 'gates'

const computes = 'for (;;);'
const writes = `
  const { fsyncSync, openSync, unlinkSync, writeSync } = require('node:fs')
  const name = ${JSON.stringify(path.join(DISK, `ferrite-hunt-${process.pid}`))}
  const file = openSync(name, 'w')
  unlinkSync(name)
  const bytes = require('node:crypto').randomBytes(2 ** 24)
  for (;;) {
    writeSync(file, bytes, 0, bytes.length, 0)
    fsyncSync(file)
  }`
/**
 * The machine's other load during a round. Each program runs in a thread, which ends with this
 * process, even by kill -9.
 */
const LOADS = {
  none: [],
  'one busy core': [computes],
  'three busy processes': [computes, computes, computes],
  'a slow disk': [writes],
}
/** @typedef {keyof typeof LOADS} Load */
const ALL_LOADS = /** @type {Load[]} */ (Object.keys(LOADS))
/** Which of ten gates run under load. @type {Record<number, Load>} */
const GATES_BESIDE = { 2: 'one busy core', 5: 'three busy processes', 8: 'a slow disk' }

/** The load of a round, by the number of earlier rounds. */
const loadOf = (/** @type {string} */ tests, /** @type {number} */ i) =>
  (tests === GATES ? GATES_BESIDE[i % 10] : ALL_LOADS[i % ALL_LOADS.length]) ?? 'none'

/** @returns {Round[]} oldest first */
function keptRounds() {
  if (!existsSync(ROUNDS)) return []
  return readFileSync(ROUNDS, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const isClean = (/** @type {Round} */ { failed, flaky }) => failed === 0 && flaky.length === 0

function cleanInARow(/** @type {Round[]} */ rounds) {
  const last = rounds.findLastIndex((round) => !isClean(round))
  return rounds.length - 1 - last
}

async function git(/** @type {string[]} */ ...words) {
  const { code, output } = await step('git', words)
  if (code !== 0) throw new Problem(`git ${words[0]} failed: ${output.trim()}`)
  return output.trim()
}

/** @returns HEAD, with a plus when the checkout differs from it */
async function commitOf() {
  const isChanged = await git('status', '--porcelain')
  return `${await git('rev-parse', '--short', 'HEAD')}${isChanged && '+'}`
}

/**
 * Runs the tests of a checkout once, under a load.
 * @param {string} checkout
 * @param {[file: string, args: string[], shell?: boolean]} command
 * @param {NodeJS.ProcessEnv} env
 * @param {Load} load
 * @returns {Promise<Result & { output: string }>}
 */
async function runBeside(checkout, [file, args, shell], env, load) {
  const results = path.join(checkout, 'test-results')
  rmSync(results, { recursive: true, force: true })
  const threads = LOADS[load].map((program) => new Worker(program, { eval: true }))
  const onDisk = load === 'a slow disk' && { TEST_DATA_IN: DISK }
  try {
    const options = { cwd: checkout, shell, env: { ...env, ...onDisk } }
    const { code, output } = await step(file, args, options)
    const report = path.join(results, 'result.json')
    if (existsSync(report)) return { ...JSON.parse(readFileSync(report, 'utf8')), output }
    const failures = [{ file: path.basename(file), title: `ended with code ${code}` }]
    return { passed: 0, failed: 1, failures, flaky: [], output }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

/** Runs the gate's tests in this checkout. */
function runTests(
  /** @type {string[]} */ names,
  /** @type {string} */ browser,
  /** @type {Load} */ load,
) {
  const env = { ...process.env, CHROMIUM_PATH: browser, FERRITE_TRACE: 'on' }
  const args = [path.join(root, 'scripts', 'test.js'), ...names, '--once']
  return runBeside(root, [process.execPath, args], env, load)
}

/** Runs `npm test` in a clone, without the variables of the npm that runs this script. */
function runGate(
  /** @type {string} */ clone,
  /** @type {string} */ browser,
  /** @type {Load} */ load,
) {
  const variables = Object.entries(process.env).filter(([k]) => !/^(npm_|INIT_CWD$|NODE$)/i.test(k))
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const PATH = folders.filter((folder) => !folder.includes('node_modules')).join(path.delimiter)
  const env = { ...Object.fromEntries(variables), PATH, CHROMIUM_PATH: browser }
  return runBeside(clone, ['npm', ['test'], process.platform === 'win32'], env, load)
}

/** Records a round, with its results unless it was clean. */
function keep(
  /** @type {About} */ about,
  /** @type {Result & { output: string }} */ result,
  /** @type {string} */ checkout,
) {
  const { output, ...counts } = result
  /** @type {Round} */
  const round = { ...about, ...counts }
  mkdirSync(FOLDER, { recursive: true })
  if (!isClean(round)) {
    const kept = path.join(FOLDER, about.at.replaceAll(':', '-'))
    round.kept = kept
    const results = path.join(checkout, 'test-results')
    if (existsSync(results)) cpSync(results, kept, { recursive: true })
    mkdirSync(kept, { recursive: true })
    writeFileSync(path.join(kept, 'log.txt'), output)
    const moved = (/** @type {Failure} */ { file, title, trace }) => ({
      ...{ file, title },
      trace: trace?.replace(results, kept),
    })
    round.failures = round.failures.map(moved)
    round.flaky = round.flaky.map(moved)
  }
  appendFileSync(ROUNDS, `${JSON.stringify(round)}\n`)
  return round
}

/**
 * Runs and records one round.
 * @param {{ commit: string, tests: string, load: Load, browser: string }} plan
 * @param {string} program the browser's
 */
async function tryRound(plan, program) {
  const at = new Date()
  const about = () => ({
    ...{ at: at.toISOString(), ...plan },
    seconds: (Date.now() - at.getTime()) / 1000,
  })
  if (plan.tests !== GATES) {
    const result = await runTests(plan.tests.split(' ').filter(Boolean), program, plan.load)
    return keep(about(), result, root)
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'ferrite-gate-'))
  const clone = path.join(folder, 'ferrite')
  try {
    // the shop's database runs as another user
    chmodSync(folder, 0o755)
    await git('clone', '--quiet', root, clone)
    const result = await runGate(clone, program, plan.load)
    return keep(about(), result, clone)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function clock(/** @type {number} */ seconds) {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const outcome = (/** @type {Round} */ { passed, failed, flaky }) =>
  `${passed} passed, ${failed} failed${flaky.length > 0 ? `, ${flaky.length} flaky` : ''}`

function printTable(/** @type {Round[]} */ rounds) {
  const head = ['at', 'commit', 'tests', 'beside', 'browser', 'time', 'result']
  const rows = rounds.map((round) => [
    round.at.slice(0, 16).replace('T', ' '),
    ...[round.commit, round.tests || 'all', round.load, round.browser],
    ...[clock(round.seconds), outcome(round)],
  ])
  const all = [head, ...rows]
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  for (const row of all)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** Prints every test that failed, how often, and where its results are. */
function printFailures(/** @type {Round[]} */ rounds) {
  /** @type {Map<string, string[]>} */
  const places = new Map()
  for (const { failures, flaky, kept = '' } of rounds)
    for (const { file, title, trace } of [...failures, ...flaky]) {
      const name = `${file} › ${title}`
      places.set(name, [...(places.get(name) ?? []), trace ?? path.join(kept, 'log.txt')])
    }
  for (const [name, where] of places)
    console.log(
      `failed in ${where.length} of ${rounds.length} rounds: ${name}\n  ${where.join('\n  ')}`,
    )
}

/**
 * Runs rounds of a commit until there are enough.
 * @param {string} commit
 * @param {string} tests
 * @param {(rounds: Round[]) => boolean} isEnough
 * @returns {Promise<Round[]>} all recorded rounds of the commit
 */
async function hunt(commit, tests, isEnough) {
  await ensureInstalled()
  const browsers = await browsersToTry()
  const mine = () =>
    keptRounds().filter((round) => round.commit === commit && round.tests === tests)
  let rounds = mine()
  while (!isEnough(rounds)) {
    const i = rounds.length
    const load = loadOf(tests, i)
    // so that each browser runs under each load
    const turn = i + Math.floor(i / ALL_LOADS.length)
    const browser = browsers[turn % browsers.length]
    if (!browser) throw new Problem('No browser runs here.')
    console.log(`Round ${i + 1}: ${browser.name}, beside: ${load}`)
    const round = await tryRound({ commit, tests, load, browser: browser.name }, browser.program)
    console.log(`  ${outcome(round)} (${clock(round.seconds)})`)
    rounds = mine()
    if (tests === GATES && !isClean(round)) break
  }
  return rounds
}

function show(/** @type {Round[]} */ rounds) {
  printTable(rounds)
  printFailures(rounds)
  console.log(`${cleanInARow(rounds)} clean in a row; kept in ${FOLDER}`)
}

await main(async () => {
  const [count = '', ...words] = process.argv.slice(2)
  if (!count) {
    show(keptRounds())
    return 0
  }
  const wanted = Number(count)
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new Problem(`${count} is no number of rounds: try npm run test:hunt -- 4`)
  const commit = await commitOf()
  if (words.includes('--gates')) {
    if (commit.endsWith('+'))
      throw new Problem('A clone has only what is committed: commit your changes and try again.')
    const isEnough = (/** @type {Round[]} */ rounds) => cleanInARow(rounds) >= wanted
    const rounds = await hunt(commit, GATES, isEnough)
    show(rounds.slice(-wanted))
    return isEnough(rounds) ? 0 : 1
  }
  const tests = words.join(' ')
  const since = new Date().toISOString()
  const tried = (/** @type {Round[]} */ rounds) => rounds.filter(({ at }) => at >= since)
  const rounds = await hunt(commit, tests, (all) => tried(all).length >= wanted)
  show(rounds)
  return tried(rounds).every(isClean) ? 0 : 1
})
