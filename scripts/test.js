// npm test: installs and builds what is needed, then runs the whole gate: check, tests and browser
// at once. A failed story is run again alone, twice: if it passes both times, it is flaky, and the
// gate passes. `--once` skips that.
// npm run test:full [-- NAME …]: the same with longer tests, or only the tests of these names.
// Nothing is run again.
// npm run test:providers [-- --strict]: the tests that need external servers; reports those that
// are missing.
// npm run test:scale [-- --strict]: several processes, a proxy, a database with a replica, and the
// loss of each.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 20) {
  console.error(`This is Node ${process.versions.node}: install Node 20 or newer and try again.`)
  process.exit(1)
}
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = await import('node:fs')
const { default: path } = await import('node:path')
const { stripVTControlCharacters } = await import('node:util')
const { inRoot, main, node, Problem, run, seconds, step } = await import('./run.js')
const { ensureBuilt, ensureInstalled, npm } = await import('./prepare.js')
const { ensureBrowser } = await import('./browser.js')
const { failedStories, flakyAmong, onlyStory } = await import('./stories.js')

const VITEST = inRoot('test-results', 'vitest.json')
const PLAYWRIGHT = inRoot('test-results', 'playwright.json')
// The result of the run, for programs.
const RESULT = inRoot('test-results', 'result.json')
const PLAYWRIGHT_CLI = inRoot('node_modules', '@playwright', 'test', 'cli.js')
// Places in vitest.config.ts, run as its single project `gate`.
const WITHOUT_BROWSER = ['shop', 'security', 'faults']
// Playwright's arguments to run them alone; as one project, they share their workers' shops.
const WITH_BROWSER = {
  screens: ['--grep', 'screens.spec'],
  stories: ['--grep-invert', 'screens.spec'],
}
// Projects that need servers which may be missing on a machine.
const ON_REQUEST = ['providers', 'scale']
const NAMES = [...WITHOUT_BROWSER, ...ON_REQUEST, ...Object.keys(WITH_BROWSER)]
// A developer's shop settings must not affect the tests' shops. `.env.example` lists them all,
// which a test checks.
const SETTINGS = new Set(
  readFileSync(inRoot('.env.example'), 'utf8').match(/^[A-Z][A-Z0-9_]*(?==)/gm),
)
const IGNORED = /^(CI|NODE_ENV|NODE_OPTIONS|VITEST.*)$/

const words = process.argv.slice(2)
const full = words.includes('--full')
const strict = words.includes('--strict')
const once = full || words.includes('--once')
const names = words.filter((word) => !['--full', '--strict', '--once'].includes(word))
const isChosen = (/** @type {string} */ name) =>
  names.includes(name) || (names.length === 0 && !ON_REQUEST.includes(name))
const places = WITHOUT_BROWSER.filter(isChosen)
const vitestProjects = [...(places.length > 0 ? ['gate'] : []), ...ON_REQUEST.filter(isChosen)]
const needsBrowser = Object.keys(WITH_BROWSER).some(isChosen)
const seed = process.env.TEST_SEED ?? (full ? String(Date.now() % 2 ** 31) : undefined)

let passed = 0
let failed = 0
/** @typedef {{ file: string, title: string, message?: string, trace?: string }} Failure */
/**
 * What failed and why. Printed at the end, because both stages print at once and a log may keep
 * only its end. @type {Failure[]}
 */
let failures = []
/** The stories among the failures. @type {import('./stories.js').Story[]} */
const stories = []
/** The number of browser failures outside stories. */
let browserErrors = 0
/** Stories that failed, and then passed alone twice. @type {Failure[]} */
let flaky = []

function environment(/** @type {string | undefined} */ browser) {
  const variables = Object.entries(process.env).filter(
    ([k]) => !SETTINGS.has(k) && !IGNORED.test(k),
  )
  return {
    ...Object.fromEntries(variables),
    CHROMIUM_PATH: browser,
    // workers load the packages in half the time
    NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'node'),
    PLAYWRIGHT_JSON_OUTPUT_NAME: PLAYWRIGHT,
    TEST_NAMES: places.join(' '),
    ...(full && { TEST_FULL: 'on' }),
    ...(seed && { TEST_SEED: seed }),
  }
}

/**
 * Runs one stage, with its name before each line of output; `count` reads the report that it
 * writes.
 * @param {string} name
 * @param {string} file
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, shell?: boolean }} options
 * @returns its name when it failed
 */
async function stage(name, file, args, options, count = () => {}) {
  const since = Date.now()
  const { code } = await run(file, args, { ...options, label: name })
  const before = failed
  count()
  if (code !== 0 && failed === before) {
    failed++
    explain(name, `ended with code ${code}`)
  }
  const isGreen = failed === before
  console.log(`── ${name}: ${isGreen ? 'passed' : 'FAILED'} (${seconds(since)})`)
  return isGreen ? [] : [name]
}

function countVitest() {
  if (!existsSync(VITEST)) return
  /** @typedef {{ notHere?: string, wireFormatAlone?: string, measured?: string }} Meta */
  /** @typedef {{ status: string, fullName: string, failureMessages?: string[], meta: Meta }} Test */
  /** @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} TestFile */
  /** @type {{ numPassedTests: number, numFailedTests: number, testResults: TestFile[] }} */
  const report = JSON.parse(readFileSync(VITEST, 'utf8'))
  passed += report.numPassedTests
  failed += report.numFailedTests
  for (const file of report.testResults.filter((f) => f.status === 'failed')) {
    const red = file.assertionResults.filter((t) => t.status === 'failed')
    for (const t of red) explain(file.name, t.fullName, t.failureMessages?.[0])
    if (red.length > 0) continue
    // A file that failed to load has no tests to count.
    failed++
    explain(file.name, 'could not be loaded', file.message)
  }
  const metas = report.testResults.flatMap((file) => file.assertionResults.map((t) => t.meta))
  for (const { measured } of metas) if (measured) console.log(`Measured: ${measured}`)
  for (const { wireFormatAlone } of metas)
    if (wireFormatAlone) console.log(`By wire format alone: ${wireFormatAlone}`)
  const missing = metas.flatMap(({ notHere }) => notHere ?? [])
  for (const sentence of missing) console.log(`Not tried: ${sentence}`)
  if (strict) failed += missing.length
}

function countPlaywright() {
  if (!existsSync(PLAYWRIGHT)) return
  const { stats, errors, suites } = JSON.parse(readFileSync(PLAYWRIGHT, 'utf8'))
  passed += stats.expected + stats.flaky
  browserErrors = errors.length
  failed += stats.unexpected + browserErrors
  for (const { message } of errors) explain('Playwright', 'could not run', message)
  stories.push(...failedStories(suites))
  failures.push(...stories)
}

function explain(/** @type {string} */ file, /** @type {string} */ title, message = '') {
  failures.push({ file: file.replace(inRoot('/'), ''), title, message })
}

function print(/** @type {string} */ word, /** @type {Failure} */ { file, title, message = '' }) {
  const why = stripVTControlCharacters(message).split('\n').slice(0, 12)
  console.log([`${word} ${file} › ${title}`, ...(message ? why : [])].join('\n    '))
}

function check(/** @type {NodeJS.ProcessEnv} */ env) {
  const { file, args, shell } = npm()
  // TypeScript's compiler, written in Go, spends a fifth of its time on garbage collection although
  // there is little garbage
  const checking = { ...env, GOGC: '400' }
  return stage('check', file, [...args, 'run', 'check'], { env: checking, shell })
}

function vitest(/** @type {NodeJS.ProcessEnv} */ env) {
  const cli = inRoot('node_modules', 'vitest', 'vitest.mjs')
  const projects = vitestProjects.map((name) => `--project=${name}`)
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST}`]
  return stage('tests', node, [cli, 'run', ...projects, ...reports], { env }, countVitest)
}

/**
 * @returns its name when it failed, even after failed stories ran again alone once `others` had
 * ended
 */
async function playwright(
  /** @type {NodeJS.ProcessEnv} */ env,
  /** @type {Promise<unknown>[]} */ others,
) {
  const reports = ['--reporter=list,json', `--output=${inRoot('test-results', 'browser')}`]
  const suites = Object.entries(WITH_BROWSER).filter(([name]) => isChosen(name))
  const only = suites.length === 1 ? suites.flatMap(([, words]) => words) : []
  const args = [PLAYWRIGHT_CLI, 'test', ...only, ...reports]
  const red = await stage('browser', node, args, { env }, countPlaywright)
  if (once || stories.length === 0) return red
  await Promise.all(others)
  flaky = await flakyAmong(stories, (story, time) => passesAlone(env, story, time))
  failed -= flaky.length
  passed += flaky.length
  failures = failures.filter((failure) => !flaky.includes(failure))
  return browserErrors === 0 && flaky.length === stories.length ? [] : red
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./stories.js').Story} story
 * @param {number} time 1 or 2
 */
async function passesAlone(env, story, time) {
  const output = `--output=${inRoot('test-results', `alone-${time}`)}`
  const args = [PLAYWRIGHT_CLI, 'test', ...onlyStory(story), '--reporter=line', output]
  const { code } = await step(node, args, { env: { ...env, FERRITE_TRACE: 'on' } })
  console.log(`alone   │ ${story.title}: ${code === 0 ? 'passed' : 'FAILED'} (${time} of 2)`)
  return code === 0
}

/** Runs all stages at once, because each leaves cores idle while it waits. */
async function gate(/** @type {NodeJS.ProcessEnv} */ env) {
  const checked = names.length === 0 ? check(env) : Promise.resolve([])
  const withPages = async () => {
    await ensureBuilt()
    const tested = vitestProjects.length > 0 ? vitest(env) : Promise.resolve([])
    return Promise.all([tested, needsBrowser ? playwright(env, [checked, tested]) : []])
  }
  const red = (await Promise.all([checked, withPages()])).flat(2)
  if (red.length > 0) console.log(`── FAILED: ${red.join(', ')}`)
  return red.length > 0 ? 1 : 0
}

await main(async () => {
  const unknown = names.find((name) => !NAMES.includes(name))
  if (unknown) throw new Problem(`${unknown} names no tests: ${NAMES.join(', ')} do.`)
  await ensureInstalled()
  // the provider tests report a missing browser themselves
  const optionalBrowser = isChosen('providers') ? ensureBrowser().catch(() => undefined) : undefined
  const browser = await (needsBrowser ? ensureBrowser() : optionalBrowser)
  rmSync(inRoot('test-results'), { recursive: true, force: true })
  // At the very end, so that it is the last output, whatever went wrong.
  process.once('exit', () => {
    if (full) console.log(`seed: ${seed} (TEST_SEED=${seed} tries the same again)`)
    for (const failure of failures) print('FAILED', failure)
    for (const story of flaky) print('flaky:', story)
    console.log(`${passed} passed, ${failed} failed`)
  })
  try {
    const code = await gate(environment(browser))
    mkdirSync(path.dirname(RESULT), { recursive: true })
    writeFileSync(RESULT, JSON.stringify({ passed, failed, failures, flaky }, null, 2))
    return code
  } catch (error) {
    failed ||= 1
    throw error
  }
})
