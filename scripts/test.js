// npm test: installs and builds what is needed, then the whole gate: check, tests and browser at once.
// npm run test:full [-- NAME …]: the same at length, or only the tests of these names.
// npm run test:providers [-- --strict]: those that need servers of others, and which of them are not here.
// npm run test:scale [-- --strict]: several processes, a proxy, a database with a replica, and the loss of each.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 20) {
  console.error(`This is Node ${process.versions.node}: install Node 20 or newer and try again.`)
  process.exit(1)
}
const { existsSync, readFileSync, rmSync } = await import('node:fs')
const { stripVTControlCharacters } = await import('node:util')
const { inRoot, main, node, Problem, run, seconds } = await import('./run.js')
const { ensureBuilt, ensureInstalled, npm } = await import('./prepare.js')
const { ensureBrowser } = await import('./browser.js')

const VITEST = inRoot('test-results', 'vitest.json')
const PLAYWRIGHT = inRoot('test-results', 'playwright.json')
// Places in vitest.config.ts, run as its one project `gate`.
const WITHOUT_BROWSER = ['shop', 'security', 'faults']
// What Playwright is told to run them alone: as one project they share their workers' shops.
const WITH_BROWSER = {
  screens: ['--grep', 'screens.spec'],
  stories: ['--grep-invert', 'screens.spec'],
}
// Projects that need servers which a machine may not have.
const ON_REQUEST = ['providers', 'scale']
const NAMES = [...WITHOUT_BROWSER, ...ON_REQUEST, ...Object.keys(WITH_BROWSER)]
// Settings of a shop that a developer runs must not reach the shops of the tests. `.env.example` has every one: a test sees to it.
const SETTINGS = new Set(
  readFileSync(inRoot('.env.example'), 'utf8').match(/^[A-Z][A-Z0-9_]*(?==)/gm),
)
const IGNORED = /^(CI|NODE_ENV|NODE_OPTIONS|VITEST.*)$/

const words = process.argv.slice(2)
const full = words.includes('--full')
const strict = words.includes('--strict')
const names = words.filter((word) => !['--full', '--strict'].includes(word))
const isChosen = (/** @type {string} */ name) =>
  names.includes(name) || (names.length === 0 && !ON_REQUEST.includes(name))
const places = WITHOUT_BROWSER.filter(isChosen)
const vitestProjects = [...(places.length > 0 ? ['gate'] : []), ...ON_REQUEST.filter(isChosen)]
const needsBrowser = Object.keys(WITH_BROWSER).some(isChosen)
const seed = process.env.TEST_SEED ?? (full ? String(Date.now() % 2 ** 31) : undefined)

let passed = 0
let failed = 0
/** What failed and why, printed at the end: both stages print at once, and a log may keep its tail alone. @type {string[]} */
const failures = []

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
 * Runs one stage, with its name before each line of its output; `count` reads the report it leaves.
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
  if (code !== 0 && failed === before) failed++
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
    // A file that could not be loaded has no tests to count.
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
  failed += stats.unexpected + errors.length
  for (const { message } of errors) explain('Playwright', 'could not run', message)
  suites.forEach(explainStories)
}

/** @typedef {{ status: string, error?: { message: string } }} Result */
/** @typedef {{ title: string, ok: boolean, file: string, tests: { results: Result[] }[] }} Story */
/** @typedef {{ specs: Story[], suites?: Suite[] }} Suite */
function explainStories(/** @type {Suite} */ { specs, suites = [] }) {
  for (const { title, file, tests } of specs.filter((story) => !story.ok))
    explain(file, title, tests.flatMap((t) => t.results).find((r) => r.error)?.error?.message)
  suites.forEach(explainStories)
}

function explain(/** @type {string} */ file, /** @type {string} */ title, message = '') {
  const why = stripVTControlCharacters(message).split('\n').slice(0, 12).join('\n    ')
  failures.push(`FAILED ${file.replace(inRoot('/'), '')} › ${title}\n    ${why}`)
}

function check(/** @type {NodeJS.ProcessEnv} */ env) {
  const { file, args, shell } = npm()
  // TypeScript's compiler, written in Go, spends a fifth of its time on collecting garbage of which there is little
  const checking = { ...env, GOGC: '400' }
  return stage('check', file, [...args, 'run', 'check'], { env: checking, shell })
}

function vitest(/** @type {NodeJS.ProcessEnv} */ env) {
  const cli = inRoot('node_modules', 'vitest', 'vitest.mjs')
  const projects = vitestProjects.map((name) => `--project=${name}`)
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST}`]
  return stage('tests', node, [cli, 'run', ...projects, ...reports], { env }, countVitest)
}

function playwright(/** @type {NodeJS.ProcessEnv} */ env) {
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js')
  const reports = ['--reporter=list,json', `--output=${inRoot('test-results', 'browser')}`]
  const suites = Object.entries(WITH_BROWSER).filter(([name]) => isChosen(name))
  const only = suites.length === 1 ? suites.flatMap(([, words]) => words) : []
  return stage('browser', node, [cli, 'test', ...only, ...reports], { env }, countPlaywright)
}

/** All stages at once, since each leaves the cores idle while it waits. */
async function gate(/** @type {NodeJS.ProcessEnv} */ env) {
  const withPages = async () => {
    await ensureBuilt()
    const started = [vitestProjects.length > 0 && vitest(env), needsBrowser && playwright(env)]
    return (await Promise.all(started)).flatMap((red) => red || [])
  }
  const [checked, tested] = await Promise.all([names.length === 0 ? check(env) : [], withPages()])
  const red = [...checked, ...tested]
  if (red.length > 0) console.log(`── FAILED: ${red.join(', ')}`)
  return red.length > 0 ? 1 : 0
}

await main(async () => {
  const unknown = names.find((name) => !NAMES.includes(name))
  if (unknown) throw new Problem(`${unknown} names no tests: ${NAMES.join(', ')} do.`)
  await ensureInstalled()
  // what needs servers of others names a browser that is not here among them
  const optionalBrowser = isChosen('providers') ? ensureBrowser().catch(() => undefined) : undefined
  const browser = await (needsBrowser ? ensureBrowser() : optionalBrowser)
  rmSync(inRoot('test-results'), { recursive: true, force: true })
  // At the very end, so that it is the last line, whatever went wrong.
  process.once('exit', () => {
    if (full) console.log(`seed: ${seed} (TEST_SEED=${seed} tries the same again)`)
    for (const failure of failures) console.log(failure)
    console.log(`${passed} passed, ${failed} failed`)
  })
  try {
    return await gate(environment(browser))
  } catch (error) {
    failed ||= 1
    throw error
  }
})
