import { ImagePlus } from 'lucide-react'
import { type Ref, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import {
  type PictureUploaded,
  pictureLimits,
  pictureMessages,
  uploadFormatOf,
} from '#contracts/pictures.ts'
import { Button } from '#web/components/button.tsx'
import { DropZone } from '#web/components/drop-zone.tsx'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { sendFile } from '#web/lib/send-file.ts'
import { useNewestWork } from '#web/lib/use-newest-work.ts'

/** The largest file that the browser reads; larger files would block it for too long. */
export const maxRead = 60 * 1024 * 1024
/** Larger than the shop ever displays, so scaling to this size loses nothing visible. */
const enough = { width: 2400, height: 3200 }
const previewWidth = 960
const qualities = [0.9, 0.75, 0.5]

/** The file to send, its preview, and whether it was scaled down. */
type PreparedPicture = { file: Blob; preview: ImageBitmap; madeSmaller: boolean }

const unreadable =
  'The picture is damaged, or has more pixels than this browser can read. Choose another file.'

function drawn(picture: ImageBitmap, max: { width: number; height: number }): HTMLCanvasElement {
  const scale = Math.min(1, max.width / picture.width, max.height / picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error(unreadable)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

const encoded = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))

/**
 * Draws the picture upright and small enough to send, without the file's metadata. WebP keeps
 * transparency.
 */
async function smaller(picture: ImageBitmap, isPhoto: boolean): Promise<Blob> {
  const canvas = drawn(picture, enough)
  for (const quality of qualities) {
    const file = await encoded(canvas, isPhoto ? 'image/jpeg' : 'image/webp', quality)
    if (file && file.size <= pictureLimits.bytes) return file
  }
  throw new Error(pictureMessages.tooLarge)
}

/**
 * Checks a file before it is sent, and scales it down if the shop would refuse it, as with photos
 * from a phone.
 * @throws Error with a message for the admin
 */
export async function preparePicture(file: File): Promise<PreparedPicture> {
  if (file.size > maxRead) {
    throw new Error(`The file is larger than ${maxRead / 1024 / 1024} MB. Choose a smaller one.`)
  }
  const format = uploadFormatOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  if (!format) throw new Error(pictureMessages.unsupported)
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Error(unreadable)
  })
  try {
    const { width, height } = picture
    const fits = file.size <= pictureLimits.bytes && width * height <= pictureLimits.pixels
    const ready = fits ? file : await smaller(picture, format === 'jpeg')
    const small = drawn(picture, { width: previewWidth, height: previewWidth })
    return { file: ready, preview: await createImageBitmap(small), madeSmaller: !fits }
  } finally {
    picture.close()
  }
}

async function sendPicture(
  file: Blob,
  onProgress: (sentShare: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const input = { path: '/api/image', file, onProgress, signal }
  return ((await sendFile(input)) as PictureUploaded).data.url
}

/** The state of the latest chosen picture. `sentShare` is the fraction of bytes sent. */
export type Upload =
  | { phase: 'none' }
  | { phase: 'reading' }
  | ({ phase: 'sending'; sentShare: number } & PreparedPicture)
  | ({ phase: 'done' } & PreparedPicture)
  | { phase: 'failed'; message: string; prepared?: PreparedPicture }

/**
 * Sends a picture as soon as it is chosen. A new choice replaces the previous one.
 * @param onStored gets the URL of a picture once the shop has stored it
 * @param onMore gets the other files when several are chosen at once
 */
export function usePictureUpload(onStored: (url: string) => void, onMore: (files: File[]) => void) {
  const [upload, setUpload] = useState<Upload>({ phase: 'none' })
  const { begin } = useNewestWork()

  async function send(prepared: PreparedPicture, signal: AbortSignal): Promise<void> {
    setUpload({ phase: 'sending', sentShare: 0, ...prepared })
    const onProgress = (sentShare: number) =>
      signal.aborted || setUpload({ phase: 'sending', sentShare, ...prepared })
    try {
      const url = await sendPicture(prepared.file, onProgress, signal)
      if (signal.aborted) return
      setUpload({ phase: 'done', ...prepared })
      onStored(url)
    } catch (error) {
      if (signal.aborted) return
      setUpload({ phase: 'failed', message: (error as Error).message, prepared })
    }
  }

  async function choose(files: Iterable<File>): Promise<void> {
    const [file, ...more] = files
    if (!file) return
    const signal = begin()
    setUpload({ phase: 'reading' })
    if (more.length > 0) onMore(more)
    try {
      const prepared = await preparePicture(file)
      if (!signal.aborted) await send(prepared, signal)
    } catch (error) {
      if (!signal.aborted) setUpload({ phase: 'failed', message: (error as Error).message })
    }
  }

  /** Cancels the chosen picture, whatever its state. The previous picture stays. */
  function clear(): void {
    begin()
    setUpload({ phase: 'none' })
  }

  return {
    upload,
    choose,
    clear,
    retry: () => {
      if (upload.phase === 'failed' && upload.prepared) void send(upload.prepared, begin())
    },
  }
}

/** `sentShare` is the fraction of bytes sent. */
type QueuedPicture = {
  key: number
  file: File
  state: 'waiting' | 'sending' | 'failed'
  sentShare: number
  message: string
}

/**
 * Sends several pictures, one after the other. Failed ones stay, to be retried or cancelled.
 * @param onStored gets each picture's URL once the shop has stored it
 */
export function useUploadQueue(onStored: (url: string) => void) {
  const [items, setItems] = useState<QueuedPicture[]>([])
  const [isOver, setIsOver] = useState(false)
  const { begin, stop } = useNewestWork()
  const lastKey = useRef(0)
  const stored = useEffectEvent(onStored)

  const change = (key: number, more: Partial<QueuedPicture>) =>
    setItems((all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)))
  const drop = (key: number) => setItems((all) => all.filter((one) => one.key !== key))

  const next = items.some(({ state }) => state === 'sending')
    ? undefined
    : items.find(({ state }) => state === 'waiting')
  useEffect(() => {
    if (!next) return
    const { key, file } = next
    const signal = begin()
    change(key, { state: 'sending', sentShare: 0 })
    const send = async () => {
      const prepared = await preparePicture(file)
      prepared.preview.close()
      const url = await sendPicture(
        prepared.file,
        (sentShare) => change(key, { sentShare }),
        signal,
      )
      if (signal.aborted) return
      stored(url)
      drop(key)
    }
    send().catch((error: Error) => {
      if (!signal.aborted) change(key, { state: 'failed', message: error.message })
    })
  }, [next])

  return {
    items,
    isBusy: items.some(({ state }) => state !== 'failed'),
    hasFailed: items.some(({ state }) => state === 'failed'),
    /** Whether more files were chosen than the part may have pictures. */
    isOver,
    add: (files: File[], room: number) => {
      setIsOver(files.length > room)
      const added = files.slice(0, room).map((file): QueuedPicture => {
        lastKey.current += 1
        return { key: lastKey.current, file, state: 'waiting', sentShare: 0, message: '' }
      })
      setItems((all) => [...all, ...added])
    },
    retry: (key: number) => change(key, { state: 'waiting' }),
    cancel: (key: number) => {
      if (items.some((one) => one.key === key && one.state === 'sending')) stop()
      drop(key)
    },
    clear: () => {
      stop()
      setItems([])
      setIsOver(false)
    },
  }
}

/** Copies the picture's URL, for a CSV file. Browsers allow this only on secure origins. */
function PictureAddress({ address }: { address: string }) {
  const [status, setStatus] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => setStatus('Copied'),
      () => setStatus('Your browser didn’t allow that. Select the address and copy it.'),
    )
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-dim text-sm">
        Picture address, for CSV files:{' '}
        <code className="wrap-anywhere font-mono text-xs">{address}</code>
      </p>
      {'clipboard' in navigator && (
        <RowButton aria-label="Copy the picture’s address" onClick={() => void copy()}>
          Copy
        </RowButton>
      )}
      <p role="status" className="text-dim text-sm empty:hidden">
        {status}
      </p>
    </div>
  )
}

type Props = {
  /** The URL of the saved picture, or ''. */
  value: string
  uploading: ReturnType<typeof usePictureUpload>
  error?: string
  onBlur: () => void
  inputRef: Ref<HTMLInputElement>
}

/** The types that a file input accepts. */
export const accepted = 'image/jpeg,image/png,image/webp'

const megabytes = pictureLimits.bytes / 1024 / 1024
const percent = (share: number) => `${Math.floor(share * 100)}%`

/**
 * A preview of the chosen file, drawn from its pixels: an object URL would need an exception in the
 * content security policy.
 */
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

function CurrentPicture({ upload, value }: { upload: Upload; value: string }) {
  const prepared = 'preview' in upload ? upload : 'prepared' in upload ? upload.prepared : undefined
  if (prepared) return <Preview picture={prepared.preview} />
  if (value && upload.phase === 'none') {
    return <Picture src={value} alt="The current picture" sizes="420px" />
  }
  return (
    <p className="grid justify-items-center gap-1.5 p-6 text-center">
      <ImagePlus aria-hidden="true" className="size-8 text-copper" />
      <span className="font-semibold">Choose a picture</span>
      <span className="text-dim text-sm">or drop it here, or paste it</span>
    </p>
  )
}

/** The state of the upload as text. */
function statusOf(upload: Upload): string {
  if (upload.phase === 'reading') return 'Reading the picture…'
  if (upload.phase === 'sending') {
    return upload.sentShare < 1 ? `Uploading, ${percent(upload.sentShare)}` : 'Creating sizes…'
  }
  if (upload.phase !== 'done') return ''
  return upload.madeSmaller
    ? 'Uploaded. It was large, so we sent a smaller copy.'
    : 'Picture uploaded.'
}

function Progress({ upload }: { upload: Upload }) {
  if (upload.phase !== 'sending') return null
  return (
    <progress
      className="upload-progress"
      aria-label="Upload"
      value={upload.sentShare < 1 ? upload.sentShare : undefined}
    />
  )
}

/** Takes files pasted anywhere on the page, and leaves pasted text to its input. */
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

/**
 * The Image field, for choosing, dropping and pasting a picture, which is shown and sent at once.
 */
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
        JPEG, PNG or WebP. Pictures over {megabytes} MB are made smaller before uploading.
      </p>
      <DropZone
        ref={inputRef}
        id={id}
        accept={accepted}
        multiple
        required
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error ${id}-status`}
        onBlur={onBlur}
        onFiles={(files) => void choose(files)}
      >
        <CurrentPicture upload={upload} value={value} />
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
