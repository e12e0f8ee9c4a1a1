import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import readBarcodes from './read-barcodes.ts?worker&url'

/** Whether this browser lets a page use a camera. */
export const canScan = (): boolean =>
  typeof navigator !== 'undefined' && 'mediaDevices' in navigator

const pauseMs = 200
/** The same code counts again only after it was out of sight, or for so long in it. */
const againMs = 2000

/** What the camera sees now; null until it sees something. */
function pictureOf(video: HTMLVideoElement | null, canvas: HTMLCanvasElement): ImageData | null {
  if (!video?.videoWidth) return null
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context?.drawImage(video, 0, 0)
  return context?.getImageData(0, 0, canvas.width, canvas.height) ?? null
}

/**
 * Reads bar codes with the camera that looks away from its user.
 * @returns the problem, such as a camera without permission
 */
export function useBarcodes(
  video: RefObject<HTMLVideoElement | null>,
  onCode: (code: string) => void,
): string | null {
  const [problem, setProblem] = useState<string | null>(null)
  const tell = useEffectEvent(onCode)
  useEffect(() => {
    const worker = new Worker(readBarcodes, { type: 'module' })
    const canvas = document.createElement('canvas')
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let last = { code: '', at: 0 }
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    function look(): void {
      const picture = pictureOf(video.current, canvas)
      if (picture) worker.postMessage(picture, [picture.data.buffer])
      else lookSoon()
    }
    function lookSoon(): void {
      if (!isOver) timer = setTimeout(look, pauseMs)
    }
    worker.onmessage = ({ data: code }: MessageEvent<string>) => {
      if (code && (code !== last.code || Date.now() - last.at > againMs)) {
        last = { code, at: Date.now() }
        tell(code)
      } else if (!code && Date.now() - last.at > againMs / 2) last = { code: '', at: 0 }
      lookSoon()
    }
    worker.onerror = () => setProblem('The scanner couldn’t be loaded. Reload the page.')
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
      (opened) => {
        stream = opened
        if (isOver) return stop()
        if (video.current) video.current.srcObject = opened
        look()
      },
      () => setProblem('We can’t use the camera. Allow it for this page, then try again.'),
    )
    return () => {
      isOver = true
      clearTimeout(timer)
      worker.terminate()
      stop()
    }
  }, [video])
  return problem
}
