import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import type { SuggestionsProps } from './search-suggestions.tsx'

const id = 'site-search'

/** Whether the key press types into a field. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/**
 * Focuses the search field, or opens its popover, when the slash key is pressed outside a field.
 */
function useSlashKey(
  input: RefObject<HTMLInputElement | null>,
  popover: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event))
        return
      event.preventDefault()
      if (input.current?.checkVisibility()) input.current.focus()
      else popover.current?.showPopover()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [input, popover])
}

const loadSuggestions = withTimeout(() => import('./search-suggestions.tsx'))

/**
 * The search field of every page: a form that works without scripts. Suggestions are loaded when
 * the field gets the focus. Where the bar has no room for the field, it is a popover, which opens
 * without scripts too.
 */
export function SearchField() {
  const { pathname, search } = useLocation()
  const popover = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps>>()
  const load = () => {
    // without suggestions the form still searches
    loadSuggestions().then(
      (loaded) => setSuggestions(() => loaded.SearchSuggestions),
      () => {},
    )
  }
  useEffect(() => {
    // focused before the scripts loaded
    if (document.activeElement === input.current) load()
  }, [])
  useSlashKey(input, popover)
  const isList = pathname === '/parts' || pathname.startsWith('/parts/')
  return (
    <>
      <search
        id={id}
        ref={popover}
        popover="auto"
        className="site-search"
        onToggle={({ newState }) => {
          if (newState === 'open') input.current?.focus()
        }}
      >
        <form method="get" action="/parts">
          <input
            ref={input}
            type="text"
            name="q"
            aria-label="Find parts"
            aria-keyshortcuts="/"
            placeholder="Find parts"
            maxLength={100}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            className="input"
            defaultValue={isList ? (new URLSearchParams(search).get('q') ?? '') : ''}
            onFocus={load}
          />
          <button type="submit" className="icon-button" aria-label="Find">
            <Icon of="search" />
          </button>
          {Suggestions && popover.current && input.current?.form && (
            <Suggestions
              form={input.current.form}
              input={input.current}
              popover={popover.current}
            />
          )}
        </form>
      </search>
      <button
        type="button"
        className="icon-button xl:hidden"
        popoverTarget={id}
        aria-label="Search"
      >
        <Icon of="search" />
      </button>
    </>
  )
}
