import { type ComponentProps, useId } from 'react'

type SelectProps = {
  label: string
  value: string
  /** Value → what people read; '' is what is chosen when nothing is. */
  choices: Record<string, string>
  onChange: (value: string) => void
  className?: string
}

/** One choice that narrows or orders a list. */
export function ListSelect({ label, value, choices, onChange, className = '' }: SelectProps) {
  const id = useId()
  return (
    <div className={className}>
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

type DateProps = Pick<ComponentProps<'input'>, 'min' | 'max'> & {
  label: string
  /** As in 2026-05-31, or ''. */
  value: string
  onChange: (value: string) => void
}

/** A day that a list begins or ends with. */
export function ListDate({ label, value, onChange, ...limits }: DateProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="list-label">
        {label}
      </label>
      <input
        {...limits}
        id={id}
        type="date"
        className="input list-control"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
