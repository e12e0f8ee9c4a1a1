import { type To, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { searchable } from '#contracts/lists.ts'
import { useNewestLocation } from './use-newest-location.ts'

export type ListLink = { to: To; state: unknown }

/** The places of the pages before this one, as this tab came by them; a link from elsewhere brings none. */
function trailIn(state: unknown): string[] {
  const trail = (state as { trail?: unknown } | null)?.trail
  return Array.isArray(trail) ? trail.filter((place) => typeof place === 'string') : []
}

/** A navigation that began is known before the next event comes. */
const atOnce = { flushSync: true, preventScrollReset: true }

/**
 * What a list shows, in the address, so that it can be shared and Back works: filters, `sort`, and `after`, the id
 * of the last row of the page before. Changing a filter or the sorting begins at the first page again.
 * @param filters the names whose presence means that not everything is shown
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
  // the browser's own address is ahead of what is drawn: a link may have been followed just now, even to another page
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
    /** The value of a filter, '' when it is not set. */
    read: (name: string) => params.get(name) ?? '',
    after,
    isFiltered: filters.some((name) => params.get(name)),
    /** Pages before this one, when it is known how many. */
    pagesBefore: after && trail.length === 0 ? undefined : trail.length,
    /** `replace` while the user types: Back leads to the list before the typing. */
    change: (changes: Record<string, string>, { replace = false } = {}) => go(changes, replace),
    clear: () => go(cleared, false),
    link,
    next: (lastId: string) => link({ after: lastId }, { trail: [...trail, after ?? ''] }),
    /** The page before; after a link from elsewhere the first one. */
    previous: after ? link({ after: trail.at(-1) ?? '' }, { trail: trail.slice(0, -1) }) : null,
  }
}

export type ListAddress = ReturnType<typeof useListAddress>

/**
 * The filter in the address, as the list's contract takes it: of a long search its first words. A value that the contract
 * refuses is left out, because an address may have been typed by hand.
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
  // each is right alone, but not beside another: a last day before the first
  const invalidNames = all.error.issues.map(({ path: [name] }) => name)
  return schema.parse(Object.fromEntries(values.filter(([name]) => !invalidNames.includes(name))))
}
