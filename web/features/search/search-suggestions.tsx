import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { isBookable, pictureAddress, pictureIdOf } from '#contracts/catalogue.ts'
import { counted } from '#contracts/counted.ts'
import { partPath } from '#contracts/part-address.ts'
import type { Suggestions } from '#contracts/search.ts'
import { stockNotice } from '#web/features/catalogue/why-not-bookable.ts'
import { useMoney } from '#web/lib/use-money.ts'

/** The pause in typing after which a request is sent, in milliseconds. */
const pauseMs = 150
const maxRows = 8
const listId = 'site-search-list'

/** The suggestions of this page view by query: deleting a letter sends no request. */
const cache = new Map<string, Suggestions>()

async function fetchSuggestions(q: string, signal: AbortSignal): Promise<Suggestions> {
  const cached = cache.get(q)
  if (cached) return cached
  const response = await fetch(`/api/search?${new URLSearchParams({ q })}`, { signal })
  if (!response.ok) throw new Error(`search: ${response.status}`)
  const answer: Suggestions = await response.json()
  if (cache.size > 100) cache.clear()
  cache.set(q, answer)
  return answer
}

/**
 * The suggestions for the typed text. The previous ones stay until the next arrive; older responses
 * never replace newer ones.
 */
function useSuggestions(q: string) {
  const [found, setFound] = useState<{ q: string; answer: Suggestions }>()
  useEffect(() => {
    if (q.length < 2) {
      setFound(undefined)
      return
    }
    const request = new AbortController()
    const timer = setTimeout(
      () =>
        fetchSuggestions(q, request.signal).then(
          (answer) => {
            if (!request.signal.aborted) setFound({ q, answer })
          },
          // without suggestions the form still searches
          () => {
            if (!request.signal.aborted) setFound(undefined)
          },
        ),
      cache.has(q) ? 0 : pauseMs,
    )
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [q])
  return found
}

/** A name with the untyped letters in bold: that is where the rows differ. */
function Name({ text, typed }: { text: string; typed: string }) {
  const words = typed
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length)
  if (words.length === 0) return text
  const pieces = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu'))
  return pieces.map((piece, i) => (i % 2 ? piece : piece && <b key={i}>{piece}</b>))
}

const rowClass =
  'flex min-h-14 items-center gap-3 rounded-xl px-3 py-1.5 text-ink aria-selected:bg-plate'

type Part = Suggestions['parts'][number]

function PartRow({ part, typed }: { part: Part; typed: string }) {
  const money = useMoney()
  const picture = pictureIdOf(part.image)
  const bookable = isBookable(part)
  return (
    <>
      <img
        src={picture ? pictureAddress(picture, 480) : part.image}
        alt=""
        width="64"
        height="48"
        className="h-12 w-16 shrink-0 rounded-lg bg-plate object-contain"
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <Name text={part.name} typed={typed} />
        </span>
        <span className="block truncate text-dim text-sm">{part.kind}</span>
      </span>
      <span className="shrink-0 text-end font-mono text-sm tabular-nums">
        <span className="block">{money(part.price)}</span>
        <span className={bookable ? 'block text-green' : 'block text-dim'}>
          {bookable ? `${part.availableQuantity} in stock` : stockNotice(part)}
        </span>
      </span>
    </>
  )
}

/** What the query was taken to mean: its price, corrections and dropped words. */
function noteOf(
  { read, left, price, meant, isUnsold }: Suggestions,
  money: (amount: number) => string,
): string {
  if (meant) return meant
  if (isUnsold) return 'We do not sell that.'
  const without = left && `Nothing has “${left.join(' ')}” too`
  const [from, to] = [price?.from, price?.to]
  const min = from === undefined ? '' : `from ${money(from)}`
  const max = to === undefined ? '' : `to ${money(to)}`
  const priced = [min, max].filter(Boolean).join(' ')
  return [priced && `Price ${priced}`, read && `Showing results for “${read}”`, without]
    .filter(Boolean)
    .join('. ')
}

export type SuggestionsProps = {
  form: HTMLFormElement
  input: HTMLInputElement
  popover: HTMLElement
}

type Handlers = {
  onInput: () => void
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onSubmit: (event: SubmitEvent) => void
  onFocusOut: (event: FocusEvent) => void
}

/**
 * Listens to the form and its field, which another component renders, and turns the field into a
 * combobox.
 */
function useFieldEvents({ form, input }: SuggestionsProps, handlers: Handlers) {
  const onInput = useEffectEvent(handlers.onInput)
  const onFocus = useEffectEvent(handlers.onFocus)
  const onKeyDown = useEffectEvent(handlers.onKeyDown)
  const onSubmit = useEffectEvent(handlers.onSubmit)
  const onFocusOut = useEffectEvent(handlers.onFocusOut)
  useEffect(() => {
    const events = new AbortController()
    const { signal } = events
    input.addEventListener('input', () => onInput(), { signal })
    input.addEventListener('focus', () => onFocus(), { signal })
    input.addEventListener('keydown', (event) => onKeyDown(event), { signal })
    form.addEventListener('submit', (event) => onSubmit(event), { signal })
    form.addEventListener('focusout', (event) => onFocusOut(event), { signal })
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-controls', listId)
    // typed while this was loading
    onInput()
    return () => events.abort()
  }, [form, input])
}

/** Announces the active row to assistive technology, and scrolls it into view. */
function useActiveRow(
  input: HTMLInputElement,
  list: RefObject<HTMLElement | null>,
  { isExpanded, active }: { isExpanded: boolean; active: number | undefined },
) {
  useEffect(() => {
    input.setAttribute('aria-expanded', String(isExpanded))
    if (active === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${listId}-${active}`)
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  })
}

/** The rows: first pages of the shop, then the kinds with the most matches, then parts. */
function optionsOf(found: ReturnType<typeof useSuggestions>) {
  const pages = (found?.answer.pages ?? []).map((page) => ({ to: page.path, page }))
  const kinds = (found?.answer.kinds ?? []).map((kind) => ({
    to: `/parts/${kind.slug}?${new URLSearchParams({ q: found?.q ?? '' })}`,
    kind,
  }))
  const parts = (found?.answer.parts ?? [])
    .slice(0, maxRows - kinds.length - pages.length)
    .map((part) => ({ to: partPath(part), part }))
  return [...pages, ...kinds, ...parts]
}

/**
 * The state of the combobox: the typed text, whether the rows are open, and the active row, -1 for
 * none.
 */
function useCombobox(props: SuggestionsProps) {
  const { form, input, popover } = props
  const [typed, setTyped] = useState(input.value.trim())
  const { key } = useLocation()
  /** The page on which the rows are open: they close on a page change. */
  const [openOn, setOpenOn] = useState<string | null>(null)
  const [active, setActive] = useState(-1)
  const navigate = useNavigate()
  const found = useSuggestions(typed)
  const options = optionsOf(found)
  const isShown = openOn === key && found !== undefined && typed.length > 1

  const close = () => {
    setOpenOn(null)
    setActive(-1)
  }
  const leave = () => {
    close()
    // the next page takes the focus
    input.blur()
    if (popover.matches(':popover-open')) popover.hidePopover()
  }
  const go = (to: string) => {
    leave()
    void navigate(to)
  }
  useFieldEvents(props, {
    onInput() {
      setTyped(input.value.trim())
      setActive(-1)
      setOpenOn(key)
    },
    onFocus: () => setOpenOn(key),
    onKeyDown(event) {
      if (event.isComposing) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) {
        event.preventDefault()
        if (!isShown) setOpenOn(key)
        // wraps around: after the last row comes the typed text, then the first row
        else setActive((at) => ((at + 1 + step + options.length + 1) % (options.length + 1)) - 1)
      }
      const chosen = options[active]
      if (event.key === 'Enter' && isShown && chosen) {
        event.preventDefault()
        go(chosen.to)
      }
      if (event.key === 'Escape' && isShown) {
        event.preventDefault()
        close()
      }
    },
    onSubmit(event) {
      event.preventDefault()
      const q = input.value.trim()
      go(q ? `/parts?${new URLSearchParams({ q })}` : '/parts')
    },
    onFocusOut({ relatedTarget }) {
      if (!form.contains(relatedTarget as Node | null)) close()
    },
  })
  return { found, options, isShown, active, setActive, leave }
}

/** The rows below the search field. */
export function SearchSuggestions(props: SuggestionsProps) {
  const { found, options, isShown, active, setActive, leave } = useCombobox(props)
  const list = useRef<HTMLDivElement>(null)
  const money = useMoney()
  useActiveRow(props.input, list, {
    isExpanded: isShown && options.length > 0,
    active: isShown && active >= 0 ? active : undefined,
  })
  const note = found ? noteOf(found.answer, money) : ''
  return (
    <>
      <div hidden={!isShown} className="search-rows">
        {note && <p className="px-3 py-2 text-dim text-sm">{note}</p>}
        <div
          id={listId}
          ref={list}
          role="listbox"
          aria-label="Suggestions"
          // a press must not take the focus from the field
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.map(({ to, ...row }, i) => (
            <Link
              key={to}
              id={`${listId}-${i}`}
              to={to}
              role="option"
              tabIndex={-1}
              aria-selected={i === active}
              className={rowClass}
              onMouseMove={() => setActive(i)}
              onClick={leave}
            >
              {'page' in row ? (
                <span>
                  Read about <b>{row.page.text}</b>
                </span>
              ) : 'kind' in row ? (
                <span>
                  in <b>{row.kind.name}</b>, {row.kind.count}
                </span>
              ) : (
                <PartRow part={row.part} typed={found?.answer.read ?? found?.q ?? ''} />
              )}
            </Link>
          ))}
        </div>
        {options.length === 0 && !note && <p className="px-3 py-2 text-dim">Nothing found</p>}
      </div>
      <p role="status" className="sr-only">
        {isShown && [counted(options.length, 'suggestion'), note].filter(Boolean).join('. ')}
      </p>
    </>
  )
}
