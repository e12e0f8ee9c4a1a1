import { type ComponentProps, type ReactNode, useId } from 'react'

type FieldProps = ComponentProps<'input'> & {
  label: string
  /** What to know beforehand, under the label. */
  hint?: ReactNode
  /** What is wrong, under the input. */
  error?: string
  /** What may be wrong, in the place of an error. */
  doubt?: ReactNode
  /** Something at the end of the input, such as a toggle. */
  end?: ReactNode
}

/** A labelled input with its hint and error wired for assistive technology. Other props go to the input. */
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
