import { type ComponentProps, type ReactNode, useId } from 'react'
import { counted } from '#contracts/counted.ts'

type FieldProps = ComponentProps<'input'> & {
  label: string
  /** A hint below the label. */
  hint?: ReactNode
  /** The error message below the input. */
  error?: string
  /** A warning about a possible mistake, shown in place of an error. */
  doubt?: ReactNode
  /** An element at the end of the input, such as a toggle. */
  end?: ReactNode
}

/**
 * A labelled input with its hint and error linked for assistive technology. Other props go to the
 * input.
 */
export function Field({ label, hint, error, doubt, end, className = '', ...input }: FieldProps) {
  const generated = useId()
  const id = input.id ?? generated
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [hint && hintId, (error || doubt) && errorId].filter(Boolean).join(' ')
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="field-hint">
          {hint}
        </p>
      )}
      <div className="relative">
        <input
          {...input}
          id={id}
          className={`input ${end ? 'pe-12' : ''}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
        />
        {end && <div className="absolute top-1.5 end-1 bottom-0 flex items-center">{end}</div>}
      </div>
      <p id={errorId} className="field-error" aria-live="polite">
        {error ?? (doubt && <span className="text-dim">{doubt}</span>)}
      </p>
    </div>
  )
}

type SelectProps = {
  label: ReactNode
  /** A hint below the label. */
  hint?: string | undefined
  value: string
  onChange: (value: string) => void
  /** Value → option text. */
  choices: Record<string, string>
  /** The error message below the select. */
  error?: string | undefined
  autoComplete?: string | undefined
  /** Further options, such as an option group. */
  children?: ReactNode
}

/** A labelled select with one value. */
export function Select({
  label,
  hint,
  error,
  choices,
  children,
  onChange,
  ...select
}: SelectProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <select
        {...select}
        id={id}
        className="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {Object.entries(choices).map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
        {children}
      </select>
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error" aria-live="polite">
          {error}
        </p>
      )}
    </div>
  )
}

type TextAreaProps = ComponentProps<'textarea'> & {
  label: string
  /** A hint below the label. */
  hint?: string | undefined
  /** The error message below the text. */
  error?: string
  /**
   * The number of typed characters and the maximum. The count is shown once the maximum is near.
   */
  typed: number
  limit: number
}

function counter(left: number): string {
  if (left < 0) return `${-left} too many`
  return `${counted(left, 'character')} left`
}

/**
 * A labelled field for long text, with its error linked for assistive technology. Other props go to
 * the textarea.
 */
export function TextArea({ label, hint, error, typed, limit, ...textarea }: TextAreaProps) {
  const id = useId()
  const left = limit - typed
  const isNearEnd = left <= limit / 10
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <textarea
        {...textarea}
        id={id}
        className="input block resize-y"
        aria-invalid={error ? true : undefined}
        aria-describedby={`${hint ? `${id}-hint ` : ''}${id}-error ${id}-left`}
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
