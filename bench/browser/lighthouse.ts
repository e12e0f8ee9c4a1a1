import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installProgram } from '#tests/support/install-program.ts'
import { middle } from '../measure.ts'

/** Scores are of 100, times are milliseconds. */
export type Figures = {
  performance: number
  /** The other three scores together: the least of them. */
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

/** One run of Lighthouse's phone: slow 4G and a fourth of the processor, both computed from what it sees. */
async function runOnce(program: string, browser: string, url: string): Promise<Report> {
  const flags = '--headless --no-sandbox --disable-gpu --ignore-certificate-errors'
  const words = [program, url, '--quiet', '--output=json', `--chrome-flags=${flags}`]
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: 64 * 1024 * 1024,
  })
  const report: Report = JSON.parse(stdout)
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`)
  return report
}

function figuresOf({ categories, audits }: Report): Figures {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    others: Math.min(score('accessibility'), score('best-practices'), score('seo')),
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
  }
}

/** Prepares Lighthouse, which npm installs once. @returns the middle of `runs` runs on an address */
export function lighthouse(browser: string) {
  const program = join(installProgram('lighthouse@13.5.0'), 'cli/index.js')
  return async (url: string, runs: number): Promise<Figures> => {
    const all: Figures[] = []
    for (let run = 0; run < runs; run += 1)
      all.push(figuresOf(await runOnce(program, browser, url)))
    const names = Object.keys(all[0] ?? {}) as (keyof Figures)[]
    const rows = names.map((name) => [name, middle(all.map((figures) => figures[name]))])
    return Object.fromEntries(rows) as Figures
  }
}

/** A page of a heading and as many further bytes as another page has, from a server that does nothing else. */
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
