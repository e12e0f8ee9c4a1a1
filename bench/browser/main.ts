/**
 * npm run bench:browser [-- --runs 5] [PATH …]: what a visitor waits for. Lighthouse's phone beside a bare page of the same
 * bytes, by HTTP/1.1 and HTTP/2; input and taps in Chromium with a fourth of the processor. Nothing here is a test.
 */
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { partPath } from '#contracts/part-address.ts'
import type { Shelf } from '#contracts/part-lists.ts'
import { ensureBrowser } from '#scripts/browser.js'
import { dataFolder } from '#tests/support/data-folder.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { startCaddy } from './https.ts'
import { barePage, type Figures, lighthouse } from './lighthouse.ts'
import { inputDelays, waysToContent } from './use.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' } },
})
const runs = Number(values.runs)

const ms = (time: number) => `${Math.round(time)}`.padStart(6)
const row = (line: string, page: string, figures: Figures, note = '') =>
  console.log(
    `${line.padEnd(10)}${page.padEnd(24)}${ms(figures.performance)}${ms(figures.others)}${ms(figures.fcp)}${ms(figures.lcp)}${ms(figures.blocking)}${figures.shift.toFixed(2).padStart(7)}  ${note}`,
  )

const browserPath = await ensureBrowser()
const measure = lighthouse(browserPath)
const settings = { DEMO: 'on', SANDBOX_CONTROLS: 'off', JOB_SECONDS: '60' }
const shop = await startShop(settings, await dataFolder())

const { stage }: Shelf = await (await fetch(`${shop.origin}/api/shelf`)).json()
const parts = stage.map((part) => partPath(part)).slice(0, 1)
const pages = positionals.length
  ? positionals
  : ['/', '/parts/graphics-card', ...parts, '/login', '/blogs']

/** The pages over one line. A run says something when the bare page beside it is as fast as a page can be. */
async function overLine(line: string, origin: string): Promise<void> {
  const answer = await fetch(`${shop.origin}/`, { headers: { 'accept-encoding': 'br' } })
  const bare = await barePage(Number(answer.headers.get('content-length')))
  const before = line === 'HTTP/2' ? await startCaddy(bare.origin) : null
  const floor = await measure((before ?? bare).origin, runs)
  const isQuiet = floor.performance === 100 && floor.blocking < 20
  row(line, 'bare page', floor, isQuiet ? '' : 'disturbed: only FCP and LCP say something')
  for (const page of pages) row(line, page, await measure(origin + page, runs))
  await before?.close()
  bare.close()
}

try {
  console.log(
    'line      page                     score others  FCP   LCP   TBT  shift   (ms, goals 100, 100, 1000, 1300 or 1100, 60, 0)',
  )
  await overLine('HTTP/1.1', shop.origin)
  const secure = await startCaddy(shop.origin)
  if (secure) await overLine('HTTP/2', secure.origin)
  else console.log('HTTP/2    not measured: apt-get install caddy')
  await secure?.close()
  if (positionals.length === 0) {
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
    console.log('\ninteraction to next paint, processor/4, goal 100 ms')
    for (const { name, ms: time } of await inputDelays(browser, shop.origin, runs))
      console.log(`${name.padEnd(48)}${ms(time)}`)
    console.log('\ntap to content, processor/4 and slow 4G, goal 1000 ms')
    for (const { name, ms: time } of await waysToContent(browser, shop.origin, runs))
      console.log(`${name.padEnd(48)}${ms(time)}`)
    await browser.close()
  }
} finally {
  await shop.remove()
}
