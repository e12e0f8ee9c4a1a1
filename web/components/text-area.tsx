import { type ComponentProps, useId } from 'react'

type TextAreaProps = ComponentProps<'textarea'> & {
  label: string
  /** What is wrong, under the text. */
  error?: string
  /** How many characters are typed, and how many may be: counted for the writer once the end is near. */
  typed: number
  limit: number
}

function counter(left: number): string {
  if (left < 0) return `${-left} too many`
  return left === 1 ? '1 character left' : `${left} characters left`
}

/** A labelled field for long text, with its error wired for assistive technology. Other props go to the textarea. */
export function TextArea({ label, error, typed, limit, ...textarea }: TextAreaProps) {
  const id = useId()
  const left = limit - typed
  const isNearEnd = left <= limit / 10
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      <textarea
        {...textarea}
        id={id}
        className="input block resize-y"
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error ${id}-left`}
      />
      <div className="flex justify-between gap-4">
        <p id={`${id}-error`} className="field-error" aria-live="polite">
          {error}
        </p>
        <p
          id={`${id}-left`}
          className={`shrink-0 pt-1 font-mono text-xs tabular-nums ${left < 0 ? 'text-danger' : 'text-dim'}`}
        >
          {isNearEnd && counter(left)}
        </p>
      </div>
    </div>
  )
}
