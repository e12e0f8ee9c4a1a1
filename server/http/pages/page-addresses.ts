/** Finds URLs that show the same page, so that it is rendered once for all of them. */
import type { ServerBuild } from 'react-router'
import { isTracker } from '#contracts/list-address.ts'
import type { PageHandle } from '#contracts/page-handle.ts'

type Routes = ServerBuild['routes']
type Address = { pattern: string; handle: PageHandle }

/** A page that several URLs share. */
export type SharedPage = {
  /** The URL to render, without query parameters that the route does not read. */
  path: string
  /** Whether its route has a separate page for each path. */
  isOneOfMany: boolean
}

/** The pattern of paths that no other route matches. */
const everyOther = '/*'
/** Replaces the variable part of the path while a shared page is rendered. */
const anything = '-'
const hasVariables = (pattern: string) => /[:*]/.test(pattern)
// a pattern that matched from every slash of a run would take quadratic time
const plain = (path: string) => path.toLowerCase().replace(/(?<!\/)\/+$/, '') || '/'

/** The query in its original order; the route sorts it. */
function withoutTrackers(query: string): string {
  const read = query.split('&').filter((pair) => {
    const name = pair.split('=', 1)[0] ?? ''
    return pair !== '' && !isTracker(name.toLowerCase())
  })
  return read.length > 0 ? `?${read.join('&')}` : ''
}

function addressesOf(routes: Routes): Address[] {
  const patternOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    if (!route) return ''
    return patternOf(route.parentId) + (route.path ? `/${route.path}` : '')
  }
  return Object.values(routes).flatMap((route) => {
    // a layout without a path has no URL
    if (!route || !(route.path || route.index)) return []
    const handle = (route.module as { handle?: PageHandle }).handle ?? {}
    return [{ pattern: patternOf(route.id) || '/', handle }]
  })
}

/**
 * Whether the page at this path has a key or an e-mail address in its URL, in any spelling that the
 * router accepts.
 */
export const isKeyInAddress = ({ routes }: Pick<ServerBuild, 'routes'>, path: string): boolean =>
  addressesOf(routes).some(({ pattern, handle }) => handle.keyInAddress && pattern === plain(path))

const matcher = (pattern: string) =>
  new RegExp(`^${pattern.replaceAll(/[.+?^$()[\]\\|]/g, '\\$&').replaceAll(/:[^/]+/g, '[^/]+')}$`)

/**
 * @returns a function that finds the shared page of a URL; undefined for a URL that needs a
 * rendering per request
 */
export function sharedPages({ routes }: Pick<ServerBuild, 'routes'>) {
  const addresses = addressesOf(routes)
  const fixed = new Map(
    addresses.filter(({ pattern }) => !hasVariables(pattern)).map((one) => [one.pattern, one]),
  )
  const variable = addresses
    .filter(({ pattern }) => hasVariables(pattern) && pattern !== everyOther)
    .map((one) => ({ ...one, matches: matcher(one.pattern), alike: matcher(plain(one.pattern)) }))
  const rest = addresses.find(({ pattern }) => pattern === everyOther)
  const spellings = new Set([...fixed.keys()].map(plain))

  function addressAt(path: string): Address | undefined {
    const exact = fixed.get(path) ?? variable.find(({ matches }) => matches.test(path))
    if (exact) return exact
    // the router accepts other spellings of a URL, and its own `.data` URLs
    if (path.includes('%') || path.includes('//') || path.endsWith('.data')) return
    const like = plain(path)
    if (spellings.has(like) || variable.some(({ alike }) => alike.test(like))) return
    return rest
  }

  return (path: string, query: string): SharedPage | undefined => {
    const address = addressAt(path)
    if (!address) return
    const { pattern, handle } = address
    const isOneOfMany = handle.pageForPath === true
    if (hasVariables(pattern) && !handle.samePage && !isOneOfMany) return
    if (handle.query && query) {
      const params = new URLSearchParams(query)
      if (handle.query.some((name) => params.has(name))) return
    }
    const read = handle.readsQuery && query ? withoutTrackers(query) : ''
    return {
      path: isOneOfMany ? path + read : pattern.replaceAll(/:[^/]+|\*/g, anything),
      isOneOfMany,
    }
  }
}
