import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'

/** The port the cluster was served on last, when it is free now, else any free one. */
export async function choosePort(cluster: string): Promise<number> {
  const last = await readFile(path.join(cluster, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = Number(/"port=(\d+)"/.exec(last)?.[1] ?? 0)
  return (await freePort(port)) || (await freePort(0))
}

function freePort(wanted: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(0))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      const port = address && typeof address === 'object' ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
