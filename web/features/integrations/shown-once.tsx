import { type ComponentProps, useEffect, useId, useRef } from 'react'
import { Button } from '#web/components/button.tsx'
import { copyText } from '#web/lib/copy-text.ts'

type Props = { title: string; secret: string; onDone: () => void }

/** A secret that is shown only once. */
export function ShownOnce({ title, secret, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={id} className="card mt-5 grid gap-3 px-5 py-4.5">
      <h3 id={id} ref={heading} tabIndex={-1} className="font-semibold">
        {title}
      </h3>
      <p className="text-dim text-sm">Copy it now: it cannot be shown again.</p>
      <code className="wrap-anywhere rounded-xl border border-line px-3 py-2.5 text-sm">
        {secret}
      </code>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copyText(secret, 'It is copied')}>Copy</Button>
        <Button variant="quiet" onClick={onDone}>
          I have it
        </Button>
      </div>
    </section>
  )
}

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
