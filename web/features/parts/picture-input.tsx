import { ImagePlus } from 'lucide-react'
import { type Ref, useEffect, useId, useRef } from 'react'
import { pictureLimits } from '#contracts/pictures.ts'
import { Button } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { DropZone } from './drop-zone.tsx'
import { PictureAddress } from './picture-address.tsx'
import type { Upload, usePictureUpload } from './use-picture-upload.ts'

type Props = {
  /** Address of the picture that is here, or ''. */
  value: string
  uploading: ReturnType<typeof usePictureUpload>
  error?: string
  onBlur: () => void
  inputRef: Ref<HTMLInputElement>
}

const megabytes = pictureLimits.bytes / 1024 / 1024
const percent = (share: number) => `${Math.floor(share * 100)} %`

/** The chosen file as it looks, drawn from its pixels: no address of it is needed, so the page's policy stays closed. */
function Preview({ picture }: { picture: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(picture, 0, 0)
  }, [picture])
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="The chosen picture"
      width={picture.width}
      height={picture.height}
      className="picture"
    />
  )
}

function Shown({ upload, value }: { upload: Upload; value: string }) {
  const prepared = 'preview' in upload ? upload : 'prepared' in upload ? upload.prepared : undefined
  if (prepared) return <Preview picture={prepared.preview} />
  if (value && upload.phase === 'none') {
    return <Picture src={value} alt="The part as it looks now" sizes="420px" />
  }
  return (
    <p className="drop-words">
      <ImagePlus aria-hidden="true" className="size-8 text-copper" />
      <span className="font-semibold">Choose a picture</span>
      <span className="text-dim text-sm">or drop it here, or paste it</span>
    </p>
  )
}

/** What is happening, in words. */
function statusOf(upload: Upload): string {
  if (upload.phase === 'reading') return 'Reading the picture…'
  if (upload.phase === 'sending') {
    return upload.sent < 1 ? `Uploading, ${percent(upload.sent)}` : 'Making every size of it…'
  }
  if (upload.phase !== 'done') return ''
  return upload.madeSmaller
    ? 'Uploaded. It was large, so a smaller copy was sent.'
    : 'The picture is uploaded.'
}

function Progress({ upload }: { upload: Upload }) {
  if (upload.phase !== 'sending') return null
  return (
    <progress
      className="upload-progress"
      aria-label="Upload"
      value={upload.sent < 1 ? upload.sent : undefined}
    />
  )
}

/** Takes the files of a paste anywhere on the page; pasted text goes where it always goes. */
function usePastedFiles(choose: (files: Iterable<File>) => void): void {
  const latest = useRef(choose)
  useEffect(() => {
    latest.current = choose
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files
      if (!files?.length) return
      event.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

/** The Image field: choosing, dropping and pasting; what is chosen is seen at once and sent at once. */
export function PictureInput({ value, uploading, error, onBlur, inputRef }: Props) {
  const { upload, choose, clear, retry } = uploading
  const id = useId()
  usePastedFiles((files) => void choose(files))
  const busy = upload.phase === 'reading' || upload.phase === 'sending'
  const missing = busy ? undefined : error
  const problem = upload.phase === 'failed' ? upload.message : missing
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        Image
      </label>
      <p id={`${id}-hint`} className="field-hint">
        JPEG, PNG or WebP. What is larger than {megabytes} MB is made smaller before it is sent.
      </p>
      <DropZone
        ref={inputRef}
        id={id}
        accept="image/jpeg,image/png,image/webp"
        required
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error ${id}-status`}
        onBlur={onBlur}
        onFiles={(files) => void choose(files)}
      >
        <Shown upload={upload} value={value} />
      </DropZone>
      <Progress upload={upload} />
      <div className="mt-2 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
        <p id={`${id}-status`} role="status" className="text-dim text-sm tabular-nums empty:hidden">
          {statusOf(upload)}
        </p>
        <p id={`${id}-error`} aria-live="polite" className="text-danger text-sm empty:hidden">
          {problem}
        </p>
        {upload.phase === 'failed' && upload.prepared && (
          <Button variant="quiet" onClick={retry}>
            Retry
          </Button>
        )}
        {(busy || upload.phase === 'failed') && (
          <Button variant="quiet" onClick={clear}>
            Cancel
          </Button>
        )}
      </div>
      {value && (upload.phase === 'none' || upload.phase === 'done') && (
        <PictureAddress key={value} address={value} />
      )}
    </div>
  )
}
