import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { isBookable, pictureAddress, pictureIdOf } from '#contracts/catalogue.ts'
import { dollars } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import type { Suggestions } from '#contracts/search.ts'
import { stockNotice } from './stock.ts'

/** Milliseconds without a key press that count as a pause. */
const rest = 150
const rows = 8
const listId = 'site-search-list'

/** Answers of this page view: going back a letter sends no request. */
const known = new Map<string, Suggestions>()

async function ask(q: string, signal: AbortSignal): Promise<Suggestions> {
  const before = known.get(q)
  if (before) return before
  const response = await fetch(`/api/search?${new URLSearchParams({ q })}`, { signal })
  if (!response.ok) throw new Error(`search: ${response.status}`)
  const answer: Suggestions = await response.json()
  if (known.size > 100) known.clear()
  known.set(q, answer)
  return answer
}

/** The answer to what is typed; while the next one is on its way the last one stays. An older one never replaces a newer. */
function useSuggestions(q: string) {
  const [found, setFound] = useState<{ q: string; answer: Suggestions }>()
  useEffect(() => {
    if (q.length < 2) {
      setFound(undefined)
      return
    }
    const asking = new AbortController()
    const timer = setTimeout(
      () =>
        ask(q, asking.signal).then(
          (answer) => {
            if (!asking.signal.aborted) setFound({ q, answer })
          },
          // the form still works
          () => {
            if (!asking.signal.aborted) setFound(undefined)
          },
        ),
      known.has(q) ? 0 : rest,
    )
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [q])
  return found
}

/** A name with what was not typed in bold: that is where the rows differ. */
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
        <span className="block">{dollars(part.price)}</span>
        <span className={bookable ? 'block text-green' : 'block text-dim'}>
          {bookable ? `${part.availableQuantity} available` : stockNotice(part)}
        </span>
      </span>
    </>
  )
}

/** How the question was read, where not as it was typed. */
function howRead({ read, left, price }: Suggestions): string {
  const without = left && `Nothing has “${left.join(' ')}” too`
  const [from, to] = [price?.from, price?.to]
  const least = from === undefined ? '' : `from ${dollars(from)}`
  const most = to === undefined ? '' : `to ${dollars(to)}`
  const priced = [least, most].filter(Boolean).join(' ')
  return [priced && `Price ${priced}`, read && `Showing results for “${read}”`, without]
    .filter(Boolean)
    .join('. ')
}

const wordOf = (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`)

export type SuggestionsProps = {
  form: HTMLFormElement
  input: HTMLInputElement
  popover: HTMLElement
}

/** Makes the search field a combobox. */
export function SearchSuggestions({ form, input, popover }: SuggestionsProps) {
  const [typed, setTyped] = useState(input.value.trim())
  const { key } = useLocation()
  /** The page on which the rows are open: they close with a change of page. */
  const [openOn, setOpenOn] = useState<string | null>(null)
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const found = useSuggestions(typed)
  const answer = found?.answer
  const shown = openOn === key && answer !== undefined && typed.length > 1

  const kinds = (answer?.kinds ?? []).map((kind) => ({
    to: `/parts/${kind.slug}?${new URLSearchParams({ q: found?.q ?? '' })}`,
    kind,
  }))
  const parts = (answer?.parts ?? [])
    .slice(0, rows - kinds.length)
    .map((part) => ({ to: partPath(part), part }))
  const options = [...kinds, ...parts]

  const close = () => {
    setOpenOn(null)
    setActive(-1)
  }
  const open = useEffectEvent(() => setOpenOn(key))
  const leave = () => {
    close()
    // the page that comes takes the focus
    input.blur()
    if (popover.matches(':popover-open')) popover.hidePopover()
  }
  const onInput = useEffectEvent(() => {
    setTyped(input.value.trim())
    setActive(-1)
    setOpenOn(key)
  })
  const go = useEffectEvent((to: string) => {
    leave()
    void navigate(to)
  })
  const onSubmit = useEffectEvent((event: SubmitEvent) => {
    event.preventDefault()
    const q = input.value.trim()
    go(q ? `/parts?${new URLSearchParams({ q })}` : '/parts')
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (!shown) setOpenOn(key)
      // from the last to what is typed, and to the first again
      else setActive((at) => ((at + 1 + step + options.length + 1) % (options.length + 1)) - 1)
    }
    const chosen = options[active]
    if (event.key === 'Enter' && shown && chosen) {
      event.preventDefault()
      go(chosen.to)
    }
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      close()
    }
  })
  const onFocusOut = useEffectEvent(({ relatedTarget }: FocusEvent) => {
    if (!form.contains(relatedTarget as Node | null)) close()
  })

  useEffect(() => {
    const events = new AbortController()
    const { signal } = events
    input.addEventListener('input', () => onInput(), { signal })
    input.addEventListener('focus', () => open(), { signal })
    input.addEventListener('keydown', (event) => onKey(event), { signal })
    form.addEventListener('submit', (event) => onSubmit(event), { signal })
    form.addEventListener('focusout', (event) => onFocusOut(event), { signal })
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-controls', listId)
    // typed while this was loading
    onInput()
    return () => events.abort()
  }, [form, input])
  useEffect(() => {
    input.setAttribute('aria-expanded', String(shown && options.length > 0))
    if (shown && active >= 0) input.setAttribute('aria-activedescendant', `${listId}-${active}`)
    else input.removeAttribute('aria-activedescendant')
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  })
  const note = answer ? howRead(answer) : ''
  return (
    <>
      <div hidden={!shown} className="search-rows">
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
              {'kind' in row ? (
                <span>
                  in <b>{row.kind.name}</b>, {row.kind.count}
                </span>
              ) : (
                <PartRow part={row.part} typed={answer?.read ?? found?.q ?? ''} />
              )}
            </Link>
          ))}
        </div>
        {options.length === 0 && !note && <p className="px-3 py-2 text-dim">Nothing found</p>}
      </div>
      <p role="status" className="sr-only">
        {shown && [wordOf(options.length), note].filter(Boolean).join('. ')}
      </p>
    </>
  )
}
