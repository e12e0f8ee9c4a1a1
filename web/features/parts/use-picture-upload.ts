import { useEffect, useRef, useState } from 'react'
import type { PictureUploaded } from '#contracts/pictures.ts'
import { sendFile } from '#web/lib/send-file.ts'
import { type PreparedPicture, preparePicture } from './prepare-picture.ts'

/** What is happening to the picture that was chosen last. `sent` is the share of its bytes. */
export type Upload =
  | { phase: 'none' }
  | { phase: 'reading' }
  | ({ phase: 'sending'; sent: number } & PreparedPicture)
  | ({ phase: 'done' } & PreparedPicture)
  | { phase: 'failed'; message: string; prepared?: PreparedPicture }

/**
 * Sends pictures as they are chosen, one at a time: a new choice takes the place of the one before.
 * @param onKept told the address of a picture when the shop keeps it
 */
export function usePictureUpload(onKept: (url: string) => void) {
  const [upload, setUpload] = useState<Upload>({ phase: 'none' })
  const current = useRef<AbortController>(null)

  useEffect(() => () => current.current?.abort(), [])

  function begin(): AbortSignal {
    current.current?.abort()
    current.current = new AbortController()
    return current.current.signal
  }

  async function send(prepared: PreparedPicture, signal: AbortSignal): Promise<void> {
    setUpload({ phase: 'sending', sent: 0, ...prepared })
    const onProgress = (sent: number) =>
      signal.aborted || setUpload({ phase: 'sending', sent, ...prepared })
    try {
      const wish = { path: '/api/image', field: 'image', file: prepared.file, onProgress, signal }
      const { data } = (await sendFile(wish)) as PictureUploaded
      if (signal.aborted) return
      setUpload({ phase: 'done', ...prepared })
      onKept(data.url)
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
    try {
      if (more.length > 0) throw new Error('A part has one picture. Choose one file.')
      const prepared = await preparePicture(file)
      if (!signal.aborted) await send(prepared, signal)
    } catch (error) {
      if (!signal.aborted) setUpload({ phase: 'failed', message: (error as Error).message })
    }
  }

  /** Forgets what was chosen, wherever it is on its way; the picture that was here before stays. */
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
