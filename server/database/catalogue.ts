import pg from 'pg'

/**
 * Remembers what is made from parts and reviews until one of them changes. PostgreSQL tells every process by NOTIFY
 * (triggers in the migrations); while this process can not hear it, nothing is remembered, so nothing stale is served.
 */
export type CatalogueCache = {
  /** @param worth what is made but not worth keeping is given to its asker alone */
  keep<T>(key: string, make: () => Promise<T>, worth?: (made: T) => boolean): Promise<T>
  /** What is kept under this key at this moment. */
  peek<T>(key: string): T | undefined
  /** Forgets at once what this process itself just changed, without waiting for the notification. */
  forget(): void
  close(): Promise<void>
}

const retryDelay = 1_000
/** More than the shop has pages; a limit because paths come from outside. */
const capacity = 500

/** Nothing is ever asked on it: without probes a dead connection would look like a quiet one. */
const listener = (url: string) =>
  new pg.Client({
    connectionString: url,
    application_name: 'ferrite-listen',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })

/** Listens on a connection of its own, and listens again when that breaks. */
export function catalogueCache(url: string, onError: (error: Error) => void): CatalogueCache {
  let kept = new Map<string, unknown>()
  let listening = false
  let closed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const forget = () => {
    kept = new Map()
  }

  const listen = async () => {
    const fresh = listener(url)
    client = fresh
    let broken = false
    const again = (error: Error) => {
      if (broken) return
      broken = true
      listening = false
      forget()
      fresh.end().catch(() => {})
      if (closed) return
      onError(error)
      retry = setTimeout(listen, retryDelay)
    }
    fresh.on('error', again)
    fresh.on('end', () => again(new Error('the listening connection ended')))
    fresh.on('notification', forget)
    try {
      await fresh.connect()
      await fresh.query('listen catalogue')
      forget()
      listening = !broken
    } catch (error) {
      again(error as Error)
    }
  }
  void listen()

  return {
    forget,
    async keep<T>(key: string, make: () => Promise<T>, worth = (_: T) => true): Promise<T> {
      if (!listening) return make()
      // taken before making: what changes meanwhile is forgotten with this map
      const map = kept
      if (map.has(key)) return map.get(key) as T
      const made = await make()
      if (worth(made) && map.size < capacity) map.set(key, made)
      return made
    },
    peek: <T>(key: string) => kept.get(key) as T | undefined,
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
