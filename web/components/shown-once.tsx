import { useEffect, useId, useRef } from 'react'
import { copyText } from '#web/lib/copy-text.ts'
import { Button } from './button.tsx'

type Props = { title: string; secret: string; onDone: () => void }

/** A secret that is shown only once, of one line or several. */
export function ShownOnce({ title, secret, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={id} className="card mt-5 grid gap-3 px-5 py-4.5">
      <h3 id={id} ref={heading} tabIndex={-1} className="font-semibold">
        {title}
      </h3>
      <p className="text-dim text-sm">Copy it now: you won’t see it again.</p>
      <code className="wrap-anywhere whitespace-pre-line rounded-xl border border-line px-3 py-2.5 text-sm">
        {secret}
      </code>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copyText(secret, 'Copied')}>Copy</Button>
        <Button variant="quiet" onClick={onDone}>
          I’ve saved it
        </Button>
      </div>
    </section>
  )
}
