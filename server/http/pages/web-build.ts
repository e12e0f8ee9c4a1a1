import { readdir, readFile } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { StartError } from '#server/errors.ts'
import { workerPolicy } from '#server/http/security-headers.ts'
import { type Encoded, encode } from './encoding.ts'

const root = join(import.meta.dirname, '../../..')

export type WebBuild = {
  load: () => Promise<ServerBuild>
  files: ReadonlyMap<string, Encoded>
  /** Handles Vite's own requests (modules, hot reload) before the site. */
  wrap: (listener: RequestListener) => RequestListener
  close: () => Promise<void>
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Reads every file of the built site into a map by URL path. A path that is not in the map does not
 * exist, so no spelling of a path reaches other files.
 */
async function readStaticFiles(folder: string): Promise<ReadonlyMap<string, Encoded>> {
  const files = new Map<string, Encoded>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const path = join(entry.parentPath, entry.name)
    const url = path.slice(folder.length).replaceAll('\\', '/')
    const body = await readFile(path)
    const hashed = url.startsWith('/assets/')
    const headers = {
      'content-type': type,
      'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      // named by vite.config.ts
      ...(url.startsWith('/assets/worker-') && { 'content-security-policy': workerPolicy }),
    }
    const br = await readFile(`${path}.br`).catch(() => undefined)
    files.set(url, encode(body, headers, 200, br && { br }))
  }
  return files
}

/** The site as built by `react-router build`. @throws StartError when it was not built */
export async function builtWeb(): Promise<WebBuild> {
  const entry = pathToFileURL(join(root, 'build/server/index.js')).href
  const build = await import(entry).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartError('The pages are not built yet. Start with `npm start`, which builds them.')
  })
  return {
    load: () => Promise.resolve(build as ServerBuild),
    files: await readStaticFiles(join(root, 'build/client')),
    wrap: (listener) => listener,
    close: () => Promise.resolve(),
  }
}

/** The site from its sources, reloaded when they change. */
export async function liveWeb(server: Server): Promise<WebBuild> {
  const { createServer } = await import('vite')
  const ownListeners = process.listeners('SIGTERM')
  const vite = await createServer({
    root,
    server: { middlewareMode: { server }, hmr: { server } },
    appType: 'custom',
  })
  // the SIGTERM listener of React Router's dev server would end the process before its database has
  // stopped
  for (const listener of process.listeners('SIGTERM')) {
    if (!ownListeners.includes(listener)) process.off('SIGTERM', listener)
  }
  return {
    load: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
    files: new Map(),
    wrap: (listener) => (req, res) => vite.middlewares(req, res, () => listener(req, res)),
    close: () => vite.close(),
  }
}
