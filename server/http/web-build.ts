import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { StartError } from '#server/start-error.ts'
import type { Encoded } from './encoding.ts'
import { readStaticFiles } from './static-files.ts'

const root = join(import.meta.dirname, '../..')

export type WebBuild = {
  load: () => Promise<ServerBuild>
  files: ReadonlyMap<string, Encoded>
  /** Answers Vite's own requests (modules, hot reload) before the site. */
  wrap: (listener: RequestListener) => RequestListener
  close: () => Promise<void>
}

/** The site as `react-router build` made it. @throws StartError when it was not built */
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
  const vite = await createServer({
    root,
    server: { middlewareMode: { server }, hmr: { server } },
    appType: 'custom',
  })
  return {
    load: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
    files: new Map(),
    wrap: (listener) => (req, res) => vite.middlewares(req, res, () => listener(req, res)),
    close: () => vite.close(),
  }
}
