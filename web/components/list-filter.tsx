import { useId } from 'react'
import { useDebouncedInput } from './use-debounced-input.ts'

type SelectProps = {
  label: string
  value: string
  /** Value → what people read; '' is what is chosen when nothing is. */
  choices: Record<string, string>
  onChange: (value: string) => void
}

/** One choice that narrows or orders a list. */
export function ListSelect({ label, value, choices, onChange }: SelectProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="list-label">
        {label}
      </label>
      <select
        id={id}
        className="input list-control"
        value={value in choices ? value : ''}
        onChange={(event) => onChange(event.target.value)}
      >
        {Object.entries(choices).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

type DateProps = {
  label: string
  /** As in 2026-05-31, or ''. */
  value: string
  onChange: (value: string) => void
}

/** While a year is typed it is one of the first century, and so on. */
const isWholeYear = (day: string) => day === '' || day >= '1000'

/** A day that a list begins or ends with. */
export function ListDate({ label, value, onChange }: DateProps) {
  const id = useId()
  const { typed, setTyped, send } = useDebouncedInput(value, onChange, isWholeYear)
  return (
    <div>
      <label htmlFor={id} className="list-label">
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
