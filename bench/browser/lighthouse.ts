import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installProgram } from '#tests/support/servers/install-program.ts'
import { middle } from '../measure.ts'

/** Scores are out of 100, times are milliseconds. */
export type Figures = {
  performance: number
  /** The lowest of the other three scores. */
  others: number
  fcp: number
  lcp: number
  blocking: number
  shift: number
}

type Report = {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number; score: number | null; title: string }>
  runtimeError?: { message: string }
}

/** The theme and width of a page; by default Lighthouse's own phone, in light. */
export type Look = { theme: 'light' | 'dark'; width?: number }

function flagsOf({ theme, width }: Look): string[] {
  const chrome = `--headless --no-sandbox --disable-gpu --ignore-certificate-errors --blink-settings=preferredColorScheme=${theme === 'dark' ? 0 : 1}`
  // network and processor stay the phone's at every width
  const screen = width ? [`--screenEmulation.width=${width}`, '--screenEmulation.height=900'] : []
  return ['--quiet', '--output=json', `--chrome-flags=${chrome}`, ...screen]
}

/**
 * One run of Lighthouse's phone: slow 4G and a quarter of the processor, both computed from its
 * observations.
 */
async function runOnce(program: string, browser: string, words: string[]): Promise<Report> {
  const [url] = words
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: 64 * 1024 * 1024,
  })
  const report: Report = JSON.parse(stdout)
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`)
  return report
}

const scoreOf = (categories: Report['categories'], name: string) =>
  Math.round((categories[name]?.score ?? 0) * 100)

function figuresOf({ categories, audits }: Report): Omit<Figures, 'others'> {
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: scoreOf(categories, 'performance'),
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
  }
}

/**
 * Prepares Lighthouse, which npm installs once. @returns a function that returns the median of
 * `runs` runs on a URL
 */
export function lighthouse(browser: string, look: Look) {
  const program = join(installProgram('lighthouse@13.5.0'), 'cli/index.js')
  return async (url: string, runs: number): Promise<Figures> => {
    const words = [url, ...flagsOf(look)]
    const whole = await runOnce(program, browser, words)
    const others = ['accessibility', 'best-practices', 'seo'].map((name) =>
      scoreOf(whole.categories, name),
    )
    const all = [figuresOf(whole)]
    // scores that do not vary between runs are measured once
    while (all.length < runs)
      all.push(
        figuresOf(await runOnce(program, browser, [...words, '--only-categories=performance'])),
      )
    const median = (name: keyof (typeof all)[number]) => middle(all.map((each) => each[name]))
    return {
      performance: median('performance'),
      others: Math.min(...others),
      fcp: median('fcp'),
      lcp: median('lcp'),
      blocking: median('blocking'),
      shift: median('shift'),
    }
  }
}

/**
 * A page with a heading, padded to the size of another page, from a server that does nothing else.
 */
export async function barePage(bytes: number) {
  const head =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bare</title><meta name="viewport" content="width=device-width"><meta name="description" content="As little as a page can be."><link rel="icon" href="data:,"></head><body><main><h1>Bare</h1></main><!--'
  const page = `${head}${'-'.padEnd(Math.max(1, bytes - head.length - 17), 'x')}--></body></html>`
  const server = createServer(({ url }, response) => {
    response
      .writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
      .end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
