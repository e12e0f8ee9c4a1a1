/** The scripts of all routes: React Router's manifest. */
type Manifest = { routes: Record<string, { module: string; imports?: string[] } | undefined> }

/**
 * Loads the scripts of routes without running them. React Router's `PrefetchPageLinks` also runs
 * them, and adds all links at once: a phone then did not respond to taps for 200 ms.
 * @param ids names in `web/routes.ts`
 */
export function preloadScripts(ids: string[]): void {
  const { __reactRouterManifest: manifest } = globalThis as { __reactRouterManifest?: Manifest }
  const routes = ids.flatMap((id) => manifest?.routes[id] ?? [])
  const all = new Set(routes.flatMap(({ module, imports = [] }) => [module, ...imports]))
  for (const [i, href] of [...all].entries()) {
    // each in a separate task
    setTimeout(() => {
      const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href })
      document.head.append(link)
    }, i * 50)
  }
}
