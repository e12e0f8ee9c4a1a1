import { Search } from 'lucide-react'
import { useId } from 'react'
import { useDebouncedInput } from './use-debounced-input.ts'

type Props = {
  label: string
  /** What is searched for now, from the address. */
  value: string
  onSearch: (words: string) => void
}

/** Searches while one types, each time the typing rests; Enter does not wait. */
export function SearchBox({ label, value, onSearch }: Props) {
  const id = useId()
  const { typed, setTyped, send } = useDebouncedInput(value, onSearch)
  return (
    <search className="list-search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <label htmlFor={id} className="list-label">
          {label}
        </label>
        <span className="relative block">
          <Search aria-hidden="true" className="list-search-icon" />
          <input
            id={id}
            type="search"
            className="input list-control"
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
