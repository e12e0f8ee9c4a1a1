import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'

/** Requests a second at ten connections, after a warm-up. @throws Error when an answer is not a 2xx */
export async function throughput(url: string, seconds = 4): Promise<number> {
  await autocannon({ url, connections: 10, duration: 1 })
  const { requests, non2xx } = await autocannon({ url, connections: 10, duration: seconds })
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} answers were no success`)
  return requests.average
}

/** The middle one: a busy machine spoils a round, seldom most. */
export const middle = (figures: number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

/** The share of a bare server's throughput that `url` reaches, the same bytes from both in turn. */
export async function shareOfBare(url: string): Promise<number> {
  const sample = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  const body = Buffer.from(await sample.arrayBuffer())
  const {
    date: _,
    connection: __,
    'keep-alive': ___,
    ...headers
  } = Object.fromEntries(sample.headers)
  const args = [join(import.meta.dirname, 'bare-server.ts'), JSON.stringify(headers)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
  const [port] = await once(child.stdout, 'data')
  const shares: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const bare = await throughput(`http://127.0.0.1:${String(port).trim()}/`)
    shares.push((await throughput(url)) / bare)
  }
  child.kill()
  return middle(shares)
}

/** Milliseconds that a batch of `size` calls takes, `lanes` at a time. */
export async function timed(
  size: number,
  lanes: number,
  work: (i: number, lane: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const began = performance.now()
  const run = async (_: unknown, lane: number) => {
    while (next < size) await work(next++, lane)
  }
  await Promise.all(Array.from({ length: lanes }, run))
  return performance.now() - began
}
