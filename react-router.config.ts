import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Config } from '@react-router/dev/config'

const brotli = promisify(brotliCompress)

/**
 * Compresses the browser's files with brotli at its slowest level: a tenth smaller than what the
 * server could compress during a request.
 */
async function precompress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter((each) => /\.(js|css|svg)$/.test(each))) {
    const path = join(folder, name)
    await writeFile(`${path}.br`, await brotli(await readFile(path)))
  }
}

const config: Config = {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // few routes: the browser gets them all at once and never requests a manifest
  routeDiscovery: { mode: 'initial' },
  // not a plugin's hook, because the list of routes, which every page loads, is written last
  buildEnd: ({ reactRouterConfig }) =>
    precompress(join(reactRouterConfig.buildDirectory, 'client')),
}

export default config
