/**
 * A separate process that sends one request to one shop, over hundreds of connections at once,
 * until it is ended.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

export type Flood = {
  origin: string
  /** `{n}` is replaced by a new number each time. */
  path: string
  connections: number
  method?: string
  headers?: Record<string, string>
  body?: string
  localAddress?: string
}

const self = fileURLToPath(import.meta.url)

/**
 * Begins; resolves at the first responses.
 * @returns ends it and returns the number of responses
 */
export async function beginFlood(flood: Flood): Promise<() => Promise<number>> {
  const child = fork(self, [JSON.stringify(flood)])
  let answers = 0
  child.on('message', (count) => {
    answers = Number(count)
  })
  while (answers < 10) await once(child, 'message')
  return async () => {
    child.kill()
    await once(child, 'exit')
    return answers
  }
}

function run({ origin, path, connections, localAddress, body, ...requestOptions }: Flood): void {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    ...(localAddress && { localAddress }),
  })
  let answers = 0
  let asks = 0
  const ask = () => {
    asks += 1
    const one = request(
      origin + path.replace('{n}', String(asks)),
      { agent, ...requestOptions },
      (response) => {
        response.resume().on('end', () => {
          answers += 1
          if (answers % 10 === 0) process.send?.(answers)
          ask()
        })
      },
    )
    one.on('error', () => setTimeout(ask, 50)).end(body)
  }
  for (let i = 0; i < connections; i += 1) ask()
}

const [, script, floodJson] = process.argv
if (script === self && floodJson) run(JSON.parse(floodJson))
