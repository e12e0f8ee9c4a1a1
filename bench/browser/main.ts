/**
 * npm run bench:browser [-- OPTIONS] [PATH …]: how long visitors wait. Lighthouse's phone next to a
 * bare page of the same size, over HTTP/1.1 and HTTP/2; input and taps in Chromium with a quarter
 * of the processor. Nothing here is a test. A complete run takes ten minutes on a quiet machine.
 *   --runs 5               the median of how many
 *   --only input,taps      of http1, http2, input, taps
 *   --theme dark
 *   --width 360            of the window
 *   --shop ./data-large    the shop of `npm run seed:large` instead of the demo
 * HTTP/2 is measured with a page with a picture and one with a form, or with each PATH.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { partPath } from '#contracts/part-address.ts'
import type { HomeParts } from '#contracts/part-lists.ts'
import { ensureBrowser } from '#scripts/browser.js'
import { dataFolder } from '#tests/support/data-folder.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { startCaddy } from './https.ts'
import { barePage, type Figures, type Look, lighthouse } from './lighthouse.ts'
import { inputDelays, waysToContent } from './use.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: 'http1,http2,input,taps' },
    theme: { type: 'string', default: 'light' },
    width: { type: 'string' },
    shop: { type: 'string' },
  },
})
const runs = Number(values.runs)
const measured = values.only.split(',')
const look: Look = {
  theme: values.theme === 'dark' ? 'dark' : 'light',
  ...(values.width && { width: Number(values.width) }),
}

const ms = (time: number) => `${Math.round(time)}`.padStart(6)
const row = (line: string, page: string, figures: Figures, note = '') =>
  console.log(
    `${line.padEnd(10)}${page.padEnd(24)}${ms(figures.performance)}${ms(figures.others)}${ms(figures.fcp)}${ms(figures.lcp)}${ms(figures.blocking)}${figures.shift.toFixed(2).padStart(7)}  ${note}`,
  )

const browserPath = await ensureBrowser()
const measure = lighthouse(browserPath, look)
const settings = { DEMO: values.shop ? 'off' : 'on', SANDBOX_CONTROLS: 'off', JOB_SECONDS: '60' }
const shop = await startShop(settings, values.shop ? resolve(values.shop) : await dataFolder())

const { featured }: HomeParts = await (await fetch(`${shop.origin}/api/home-parts`)).json()
const parts = featured.map((part) => partPath(part)).slice(0, 1)
const pages = ['/', '/parts/graphics-card', ...parts, '/login', '/blogs']

/**
 * The pages over one connection type. A run is valid when the bare page next to it is as fast as a
 * page can be.
 */
async function overLine(line: string, origin: string, paths: string[]): Promise<void> {
  const answer = await fetch(`${shop.origin}/`, { headers: { 'accept-encoding': 'br' } })
  const bare = await barePage(Number(answer.headers.get('content-length')))
  const before = line === 'HTTP/2' ? await startCaddy(bare.origin) : null
  const floor = await measure((before ?? bare).origin, runs)
  const isQuiet = floor.performance === 100 && floor.blocking < 20
  row(line, 'bare page', floor, isQuiet ? '' : 'disturbed: only FCP and LCP say something')
  for (const page of positionals.length ? positionals : paths)
    row(line, page, await measure(origin + page, runs))
  await before?.close()
  bare.close()
}

async function overHttp2(): Promise<void> {
  const secure = await startCaddy(shop.origin)
  if (secure) await overLine('HTTP/2', secure.origin, ['/', '/login'])
  else console.log('HTTP/2    not measured: apt-get install caddy')
  await secure?.close()
}

async function inBrowser(title: string, use: typeof inputDelays): Promise<void> {
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  console.log(`\n${title}`)
  for (const { name, ms: time } of await use(browser, { origin: shop.origin, ...look }, runs))
    console.log(`${name.padEnd(48)}${ms(time)}`)
  await browser.close()
}

try {
  console.log(
    'line      page                     score others  FCP   LCP   TBT  shift   (ms, goals 100, 100, 1000, 1300 or 1100, 60, 0)',
  )
  if (measured.includes('http1')) await overLine('HTTP/1.1', shop.origin, pages)
  if (measured.includes('http2')) await overHttp2()
  if (measured.includes('input'))
    await inBrowser('interaction to next paint, processor/4, goal 100 ms', inputDelays)
  if (measured.includes('taps'))
    await inBrowser('tap to content, processor/4 and slow 4G, goal 1000 ms', waysToContent)
} finally {
  if (values.shop) await shop.end('SIGTERM')
  else await shop.remove()
}
