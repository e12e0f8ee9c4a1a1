import { useId, useState } from 'react'
import { logoPath } from '#contracts/logo.ts'
import type { LogoUploaded } from '#contracts/settings.ts'
import { DropZone } from '#web/components/drop-zone.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { sendFile } from '#web/lib/send-file.ts'
import { useNewestWork } from '#web/lib/use-newest-work.ts'

type Props = {
  label: string
  hint: string | undefined
  /** The name of the chosen logo, or ''. */
  value: string
  onChange: (logo: string) => void
  error: string
}

/** The logo: uploaded as soon as it is chosen, shown with the next save. */
export function LogoField({ label, hint, value, onChange, error }: Props) {
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
      const input = { path: '/api/logo', field: 'image', file, onProgress: () => {}, signal }
      const { logo } = (await sendFile(input)) as LogoUploaded
      if (!signal.aborted) onChange(logo)
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
          zone="aspect-4/3 w-36"
        >
          {value ? (
            <img src={logoPath(value, 'small')} alt="The chosen logo" width="96" height="96" />
          ) : (
            <span className="p-3 text-center text-dim text-sm">
              {isBusy ? 'On its way…' : 'Choose a picture'}
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
            Remove the logo
          </RowButton>
        )}
      </div>
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {problem || error}
      </p>
    </div>
  )
}
