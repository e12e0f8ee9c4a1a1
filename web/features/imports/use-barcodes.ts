import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector

/**
 * Not all browsers read bar codes, and no types describe it:
 * https://wicg.github.io/shape-detection-api/
 */
const detectorClass = () =>
  (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector ?? null

/** Whether this browser reads bar codes with a camera. */
export const canScan = (): boolean =>
  detectorClass() !== null && typeof navigator !== 'undefined' && 'mediaDevices' in navigator

const formats = ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'qr_code']
const pauseMs = 200
/** The same code counts again only after it was out of sight, or for so long in it. */
const againMs = 2000

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
    const Class = detectorClass()
    if (!Class) return
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let last = { code: '', at: 0 }
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    async function look(detector: Detector): Promise<void> {
      const [found] = video.current ? await detector.detect(video.current).catch(() => []) : []
      if (isOver) return
      const code = found?.rawValue ?? ''
      if (code && (code !== last.code || Date.now() - last.at > againMs)) {
        last = { code, at: Date.now() }
        tell(code)
      } else if (!code && Date.now() - last.at > againMs / 2) last = { code: '', at: 0 }
      timer = setTimeout(() => void look(detector), pauseMs)
    }
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
      (opened) => {
        stream = opened
        if (isOver) return stop()
        if (video.current) video.current.srcObject = opened
        void look(new Class({ formats }))
      },
      () => setProblem('The camera cannot be used: allow it for this page, and try again.'),
    )
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [video])
  return problem
}
