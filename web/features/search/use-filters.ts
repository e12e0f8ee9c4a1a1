import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { canonicalQuery, cleanQuery } from '#contracts/list-address.ts'
import type { PartList } from '#contracts/part-lists.ts'
import { afterPaint } from '#web/lib/loading/after-paint.ts'
import { useNewestLocation } from '#web/lib/use-newest-location.ts'

/** On a phone the filters are a popover. */
export const filtersId = 'filters'

/** The pause in typing after which a number is applied, in milliseconds. */
const pauseMs = 450

/**
 * The filters in the URL, and the handlers of the form that changes them. The form shows a choice
 * at once; the router, which re-renders the whole page, follows after the paint.
 */
export function useFilters(list: PartList) {
  const { pathname, search: addressSearch, key } = useNewestLocation()
  const [latestChoice, setLatestChoice] = useState<{ search: string; since: string }>()
  if (latestChoice && latestChoice.since !== key) setLatestChoice(undefined)
  const search = latestChoice?.search ?? addressSearch
  const navigate = useNavigate()
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const dropNavigation = useRef<() => void>(undefined)
  useEffect(
    () => () => {
      clearTimeout(typing.current)
      dropNavigation.current?.()
    },
    [],
  )
  const params = cleanQuery(new URLSearchParams(search))

  function send(form: HTMLFormElement) {
    clearTimeout(typing.current)
    const typed = [...new FormData(form)].map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const query = canonicalQuery(cleanQuery(typed), list.facets).toString()
    if (query === search.slice(1)) return
    setLatestChoice({ search: `?${query}`, since: key })
    dropNavigation.current?.()
    dropNavigation.current = afterPaint(
      () => void navigate({ pathname, search: query }, { preventScrollReset: true }),
    )
  }
  return {
    params,
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) {
      const { form, type } = currentTarget
      if (!form) return
      clearTimeout(typing.current)
      if (type === 'number') typing.current = setTimeout(() => send(form), pauseMs)
      else send(form)
    },
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      send(event.currentTarget)
      // the filters stay open when the form is submitted without a button, after a choice made
      // before the scripts loaded
      if ((event.nativeEvent as SubmitEvent).submitter)
        document.getElementById(filtersId)?.hidePopover()
    },
  }
}
