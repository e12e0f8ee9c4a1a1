import { useId, useState } from 'react'
import { DropZone } from '#web/components/drop-zone.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { sendFile } from '#web/lib/send-file.ts'
import { useNewestWork } from '#web/lib/use-newest-work.ts'

type Props = {
  label: string
  hint: string | undefined
  /** What names the chosen picture, or ''. */
  value: string
  onChange: (value: string) => void
  /** The path of the upload, and what its answer names the picture by. */
  path: string
  nameIn: (answer: unknown) => string
  /** The address of the chosen picture's file. */
  srcOf: (value: string) => string
  error: string
}

/** A picture: uploaded as soon as it is chosen, shown with the next save. */
export function PictureField(props: Props) {
  const { label, hint, value, onChange, path, nameIn, srcOf, error } = props
  const id = useId()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { begin } = useNewestWork()

  async function choose([file]: File[]) {
    if (!file) return
    const signal = begin()
    setProblem('')
    setBusy(true)
    try {
      const answer = await sendFile({ path, file, onProgress: () => {}, signal })
      if (!signal.aborted) onChange(nameIn(answer))
    } catch (failure) {
      if (!signal.aborted) setProblem((failure as Error).message)
    }
    if (!signal.aborted) setBusy(false)
  }

  return (
    <div className="field pb-5">
      <label htmlFor={id} className="field-label">
        {label} (optional)
      </label>
      <p id={`${id}-hint`} className="field-hint">
        {hint}
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <DropZone
          id={id}
          accept="image/png,image/webp,image/jpeg"
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={problem || error ? true : undefined}
          onFiles={(files) => void choose(files)}
          zone="h-36 w-36"
        >
          {value ? (
            <img
              src={srcOf(value)}
              alt="The chosen one"
              className="absolute inset-0 h-full w-full object-contain p-2"
            />
          ) : (
            <span className="p-3 text-center text-dim text-sm">
              {isBusy ? 'Uploading…' : 'Choose a picture'}
            </span>
          )}
        </DropZone>
        {value && (
          <RowButton
            onClick={() => {
              begin()
              setBusy(false)
              onChange('')
            }}
          >
            Remove the picture
          </RowButton>
        )}
      </div>
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {problem || error}
      </p>
    </div>
  )
}
