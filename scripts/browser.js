import { existsSync } from 'node:fs'
import path from 'node:path'
import { alone } from './prepare.js'
import { inRoot, node, Problem, step } from './run.js'

const NAMES = [
  // without a screen to draw, it is nearly twice as fast
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
]
const PLACES = [
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]
const ASK =
  'The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH to its program, and try again.'

/**
 * Path of a working Chromium or Chrome: CHROMIUM_PATH, an installed one, Playwright's, or the
 * system's package.
 */
export async function ensureBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (await works(named)) return named
    throw new Problem(`CHROMIUM_PATH is ${named}, which is no browser that runs here: correct it.`)
  }
  const found = (await installed()) ?? (await playwrights())
  if (found) return found
  return alone(async () => {
    const got = (await downloaded()) ?? (await systemPackage())
    if (got) return got
    throw new Problem(ASK)
  })
}

/**
 * @returns the browsers in which the tests must pass: Chromium with and without a screen, if
 * installed
 */
export async function browsersToTry() {
  const both = await Promise.all(NAMES.slice(0, 2).map((name) => firstThatWorks(onPath(name))))
  const found = process.env.CHROMIUM_PATH ? [] : both.filter((file) => file !== undefined)
  const programs = found.length > 0 ? found : [await ensureBrowser()]
  return Promise.all(
    programs.map(async (program) => {
      const { output } = await step(program, ['--version'])
      const [version = ''] = /\d+(\.\d+)+/.exec(output) ?? []
      return { program, name: `${path.basename(program)} ${version}` }
    }),
  )
}

const installed = () => firstThatWorks([...NAMES.flatMap(onPath), ...PLACES])

function onPath(/** @type {string} */ name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute)
  return folders.map((folder) => path.join(folder, name))
}

async function firstThatWorks(/** @type {string[]} */ files) {
  for (const file of files) if (await works(file)) return file
  return undefined
}

/**
 * Whether the browser runs, with all its libraries. On Windows, asking for the version would open a
 * window, so there it only has to exist.
 */
async function works(/** @type {string} */ file) {
  if (!existsSync(file)) return false
  if (process.platform === 'win32') return true
  const { code } = await step(file, ['--version']).catch(() => ({ code: 1 }))
  return code === 0
}

async function playwrights() {
  const ask = "import('@playwright/test').then((m) => console.log(m.chromium.executablePath()))"
  const { code, output } = await step(node, ['-e', ask])
  const file = output.trim()
  return code === 0 && (await works(file)) ? file : undefined
}

async function downloaded() {
  console.log("No browser found: trying Playwright's download")
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js')
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }
  await step(node, [cli, 'install', 'chromium'], { env })
  return playwrights()
}

async function systemPackage() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await step('apt-get', ['update'], { env })
  for (const name of ['chromium-headless-shell', 'chromium']) {
    console.log(`It could not be downloaded: installing the system's package ${name}`)
    const { code } = await step('apt-get', ['install', '-y', name], { env })
    if (code === 0) return installed()
  }
  return undefined
}
