/** What a page knows of the scripts of every route: React Router's manifest. */
type Manifest = { routes: Record<string, { module: string; imports?: string[] } | undefined> }

/**
 * Loads the scripts of routes without running them. React Router's `PrefetchPageLinks` runs them too, and adds all links at
 * once: a phone then answered no tap for 200 ms.
 * @param ids names in `web/routes.ts`
 */
export function preloadScripts(ids: string[]): void {
  const { __reactRouterManifest: manifest } = globalThis as { __reactRouterManifest?: Manifest }
  const routes = ids.flatMap((id) => manifest?.routes[id] ?? [])
  const all = new Set(routes.flatMap(({ module, imports = [] }) => [module, ...imports]))
  for (const [i, href] of [...all].entries()) {
    // each in a task of its own
    setTimeout(() => {
      const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href })
      document.head.append(link)
    }, i * 50)
  }
}
