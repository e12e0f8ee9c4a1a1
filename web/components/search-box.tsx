import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'

/** Milliseconds without a key after which somebody has stopped typing. */
const rest = 250

type Props = {
  label: string
  /** What is searched for now, from the address. */
  value: string
  onSearch: (words: string) => void
}

/** Searches while one types, each time the typing rests; Enter does not wait. */
export function SearchBox({ label, value, onSearch }: Props) {
  const id = useId()
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [before, setBefore] = useState(value)
  // changed from outside, by Back or by clearing: what was typed gives way
  if (value !== before) {
    setBefore(value)
    if (value !== sent) {
      setTyped(value)
      setSent(value)
    }
  }
  const words = typed.trim()
  function send() {
    if (words === sent) return
    setSent(words)
    onSearch(words)
  }
  const sendRested = useEffectEvent(send)
  useEffect(() => {
    if (words === sent) return
    const timer = setTimeout(() => sendRested(), rest)
    return () => clearTimeout(timer)
  }, [words, sent])
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
          <Search aria-hidden="true" className="list-search-sign" />
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
