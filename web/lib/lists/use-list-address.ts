import { type To, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { searchable } from '#contracts/lists.ts'
import { useNewestLocation } from '#web/lib/use-newest-location.ts'

export type ListLink = { to: To; state: unknown }

/**
 * The cursors of the pages before this one, as visited in this tab; a link from elsewhere has none.
 */
function trailIn(state: unknown): string[] {
  const trail = (state as { trail?: unknown } | null)?.trail
  return Array.isArray(trail) ? trail.filter((place) => typeof place === 'string') : []
}

/** The navigation takes effect before the next event. */
const atOnce = { flushSync: true, preventScrollReset: true }

/**
 * The state of a list in the URL, so that it can be shared and Back works: filters, `sort`, and
 * `after`, the id of the previous page's last row. Changing a filter or the sort returns to the
 * first page.
 * @param filters the parameters that hide rows when they are set
 */
export function useListAddress(filters: readonly string[]) {
  const [, setParams] = useSearchParams()
  const { pathname, search, state: brought } = useNewestLocation()
  const params = new URLSearchParams(search)
  const trail = trailIn(brought)
  const after = params.get('after') ?? undefined

  function changed(changes: Record<string, string>, from = params): URLSearchParams {
    const next = new URLSearchParams(from)
    next.delete('after')
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    return next
  }
  // the browser's URL is ahead of what is rendered: the user may just have followed a link, even to
  // another page
  const go = (changes: Record<string, string>, replace: boolean) => {
    const { location } = window
    if (location.pathname !== pathname) return
    setParams(changed(changes, new URLSearchParams(location.search)), { ...atOnce, replace })
  }
  const link = (changes: Record<string, string>, state: unknown = null): ListLink => ({
    to: { search: changed(changes).toString() },
    state,
  })
  const cleared = Object.fromEntries(filters.map((name) => [name, '']))

  return {
    /** The value of a filter, '' if it is not set. */
    read: (name: string) => params.get(name) ?? '',
    after,
    isFiltered: filters.some((name) => params.get(name)),
    /** The number of pages before this one, if known. */
    pagesBefore: after && trail.length === 0 ? undefined : trail.length,
    /** Use `replace` while the user types: Back then returns to the list before the typing. */
    change: (changes: Record<string, string>, { replace = false } = {}) => go(changes, replace),
    clear: () => go(cleared, false),
    link,
    next: (lastId: string) => link({ after: lastId }, { trail: [...trail, after ?? ''] }),
    /** The previous page; after a link from elsewhere, the first page. */
    previous: after ? link({ after: trail.at(-1) ?? '' }, { trail: trail.slice(0, -1) }) : null,
  }
}

export type ListAddress = ReturnType<typeof useListAddress>

/**
 * The filter in the URL, as the list's contract accepts it: a long search is cut to its first
 * words. Values that the contract refuses are left out, because a URL may be typed by hand.
 */
export function filterOf<S extends z.ZodObject>(
  schema: S,
  address: Pick<ListAddress, 'read'>,
): z.output<S> {
  const values = Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = name === 'q' ? searchable(address.read(name)) : address.read(name)
    return value && (field as z.ZodType).safeParse(value).success ? [[name, value]] : []
  })
  const all = schema.safeParse(Object.fromEntries(values))
  if (all.success) return all.data
  // each value is valid alone, but not together, such as a last day before the first
  const invalidNames = all.error.issues.map(({ path: [name] }) => name)
  return schema.parse(Object.fromEntries(values.filter(([name]) => !invalidNames.includes(name))))
}
