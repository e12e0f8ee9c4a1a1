import { Search } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useEffectEvent, useId, useState } from 'react'
import type { ListAddress } from '#web/lib/lists/use-list-address.ts'

/** Typing counts as finished after this many milliseconds without a key press. */
const rest = 250

/**
 * The input of a list filter. It reports its value when typing pauses, or at once by `send`.
 * @param value the current filter value in the URL
 * @param isWhole whether the typed text is a complete value
 */
function useDebouncedInput(
  value: string,
  onTyped: (typed: string) => void,
  isWhole: (typed: string) => boolean = () => true,
) {
  const [typed, setTyped] = useState(value)
  const [sentWords, setSentWords] = useState(value)
  const [before, setBefore] = useState(value)
  // changed from outside, by Back or a reset: replaces the typed text
  if (value !== before) {
    setBefore(value)
    if (value !== sentWords) {
      setTyped(value)
      setSentWords(value)
    }
  }
  const words = typed.trim()
  function send() {
    if (words === sentWords || !isWhole(words)) return
    setSentWords(words)
    onTyped(words)
  }
  const sendRested = useEffectEvent(send)
  useEffect(() => {
    if (words === sentWords) return
    const timer = setTimeout(() => sendRested(), rest)
    return () => clearTimeout(timer)
  }, [words, sentWords])
  return { typed, setTyped, send }
}

const labelClass = 'block truncate font-mono text-dim text-xs'

type SearchProps = {
  label: string
  /** The current search text in the URL. */
  value: string
  onSearch: (query: string) => void
  /**
   * Called with what was typed or scanned before Enter. The text is then selected: the next scan
   * replaces it.
   */
  onEnter?: ((typed: string) => void) | undefined
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** Searches while the user types, at each pause; Enter searches at once. */
function SearchBox({ label, value, onSearch, onEnter, inputRef }: SearchProps) {
  const id = useId()
  const { typed, setTyped, send } = useDebouncedInput(value, onSearch)
  return (
    <search className="col-span-full grow shrink basis-72">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
          if (!onEnter || typed.trim() === '') return
          event.currentTarget.querySelector('input')?.select()
          onEnter(typed.trim())
        }}
      >
        <label htmlFor={id} className={labelClass}>
          {label}
        </label>
        <span className="relative block">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute bottom-0 left-3.5 h-11 w-4.5 text-dim md:h-10"
          />
          <input
            ref={inputRef}
            id={id}
            type="search"
            className="input list-control ps-10"
            autoComplete="off"
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </span>
      </form>
    </search>
  )
}

type Select = {
  label: string
  /** Value → text; '' is the default. */
  choices: Record<string, string>
  /** More options will arrive later: the width does not depend on them. */
  hasLateChoices?: boolean
}

type SelectProps = Select & { value: string; onChange: (value: string) => void }

/** A select that filters or sorts a list. */
function ListSelect({ label, value, choices, hasLateChoices, onChange }: SelectProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className={labelClass}>
        {label}
      </label>
      <select
        id={id}
        className={`input list-control ${hasLateChoices ? 'md:w-40' : ''}`}
        value={value in choices ? value : ''}
        onChange={(event) => onChange(event.target.value)}
      >
        {Object.entries(choices).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

type DateProps = {
  label: string
  /** A date such as 2026-05-31, or ''. */
  value: string
  onChange: (value: string) => void
}

/** While the user types a year, it passes through the first centuries. */
const isWholeYear = (day: string) => day === '' || day >= '1000'

/** The first or last day of a list. */
export function ListDate({ label, value, onChange }: DateProps) {
  const id = useId()
  const { typed, setTyped, send } = useDebouncedInput(value, onChange, isWholeYear)
  return (
    <div>
      <label htmlFor={id} className={labelClass}>
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="input list-control"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={send}
      />
    </div>
  )
}

type Props = {
  address: ListAddress
  /** The searched columns, used as the input's label. */
  search: string
  /** Replaces the default search, which changes `q` in the URL. */
  query?: Pick<SearchProps, 'value' | 'onSearch'>
  /** What Enter in the search does, besides searching. */
  onEnter?: SearchProps['onEnter']
  inputRef?: SearchProps['inputRef']
  /** URL parameter → its select, in this order. */
  selects?: Record<string, Select>
  /** Further inputs, such as dates. */
  children?: ReactNode
}

/** The inputs above a list. The URL holds their values. */
export function ListTools({ address, search, query, selects = {}, children, ...box }: Props) {
  return (
    <div className="grid grid-cols-2 items-end gap-3 md:flex md:flex-wrap">
      <SearchBox
        label={search}
        value={address.read('q')}
        onSearch={(q) => address.change({ q }, { replace: true })}
        {...query}
        {...box}
      />
      {Object.entries(selects).map(([name, select]) => (
        <ListSelect
          key={name}
          {...select}
          value={address.read(name)}
          onChange={(value) => address.change({ [name]: value })}
        />
      ))}
      {children}
    </div>
  )
}
