/**
 * Development: a change of the server's sources reopens the shop with them, in the same process.
 */
import { watch } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Listening } from '#server/http/server.ts'
import type { OpenShop, ShopOptions } from './start.ts'

const root = join(import.meta.dirname, '..')
const folders = ['server', 'contracts', 'sandbox', 'drizzle']
const folderUrls = [...folders, 'web'].map((folder) => pathToFileURL(join(root, folder, '/')).href)
/** An editor writes a file in several steps, and a checkout writes many files. */
const settleMs = 100

let generation = 0
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const isAnew = generation > 0 && folderUrls.some((folder) => resolved.url.startsWith(folder))
    // Node caches a module by its URL; a new URL loads the current file
    return isAnew ? { ...resolved, url: `${resolved.url}?${generation}` } : resolved
  },
})

/**
 * Wraps the socket with a queue for requests that arrive while the shop opens, so that none is
 * refused.
 */
function patient(listening: Listening) {
  let waiting: [IncomingMessage, ServerResponse][] = []
  let whileOpening: RequestListener | null = null
  const hold = () => {
    whileOpening = null
    listening.serve((request, response) => {
      // the shop itself calls the card provider's sandbox before it is open
      if (whileOpening && request.url?.startsWith('/sandbox/')) whileOpening(request, response)
      else waiting.push([request, response])
    })
  }
  const serve = (listener: RequestListener) => {
    if (!whileOpening) {
      whileOpening = listener
      return
    }
    listening.serve(listener)
    const held = waiting
    waiting = []
    for (const [request, response] of held) listener(request, response)
  }
  return { hold, listening: { ...listening, serve } }
}

/**
 * Opens a shop and, whenever its sources change, closes and reopens it. Sources that fail to load
 * change nothing: the old shop keeps running until they load. PostgreSQL, the port and open
 * connections stay.
 * @returns a function that returns the current shop
 */
export function reopenOnChange(options: ShopOptions, first: OpenShop): () => OpenShop {
  let shop = first
  let isOpen = true
  let running = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const { hold, listening } = patient(options.listening)

  async function reopen(): Promise<void> {
    generation += 1
    const began = performance.now()
    const fresh = (await import('./start.ts')) as typeof import('./start.ts')
    hold()
    if (isOpen) {
      isOpen = false
      await shop.stopJobs()
      await shop.close()
    }
    shop = await fresh.openShop({ ...options, listening })
    isOpen = true
    options.log.info({ ms: Math.round(performance.now() - began) }, 'shop_reloaded')
  }
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running
        .then(reopen)
        .catch((error) => options.log.error({ err: error }, 'reload_failed'))
    }, settleMs)
  }
  for (const folder of folders) {
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name && !name.endsWith('.test.ts')) change()
    })
  }
  return () => shop
}
