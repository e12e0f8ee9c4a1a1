import { type ComponentProps, useId } from 'react'

type ChecksProps = Omit<ComponentProps<'input'>, 'type' | 'value'> & {
  legend: string
  /** Value → option text. */
  choices: Record<string, string>
  error: string | undefined
}

/** A group of checkboxes. */
export function Checks({ legend, choices, error, ...input }: ChecksProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={error && id}>
      <legend className="field-label">{legend}</legend>
      {Object.entries(choices).map(([value, words]) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input {...input} type="checkbox" value={value} className="row-check" />
          {words}
        </label>
      ))}
      <p id={id} className="field-error" aria-live="polite">
        {error}
      </p>
    </fieldset>
  )
}
