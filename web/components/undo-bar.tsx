import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Button } from './button.tsx'

/** The button colours on a notice, which is dark in both themes. */
export const onGraphite =
  'border-on-graphite-copper text-on-graphite-copper hover:border-on-graphite-copper-deep hover:text-on-graphite-copper-deep focus-visible:outline-on-graphite-copper'

const undoMs = 10_000

type UndoProps = { busy: boolean; onUndo: () => void; onExpire: () => void; children: ReactNode }

/**
 * Reports the action and offers undo for ten seconds. Render it after the heading, which takes the
 * focus.
 */
export function UndoBar({ busy, onUndo, onExpire, children }: UndoProps) {
  const expire = useEffectEvent(onExpire)
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => expire(), undoMs)
    return () => clearTimeout(timer)
  }, [busy])
  return (
    // overlays the bottom of the page, in reach of the thumb: the list above does not move
    <div
      data-covers-bottom=""
      className="notice z-55 flex max-w-160 items-center gap-4 overflow-hidden py-3 ps-5 pe-3"
    >
      <p role="status" className="min-w-0 flex-1">
        {children}
      </p>
      <Button variant="quiet" className={onGraphite} loading={busy} onClick={onUndo}>
        Undo
      </Button>
      <span
        aria-hidden="true"
        className="absolute inset-x-0 bottom-0 h-0.75 origin-left animate-[run-out_10s_linear_forwards] bg-on-graphite-copper"
      />
    </div>
  )
}
