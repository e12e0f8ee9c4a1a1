import { useEffect, useEffectEvent } from 'react'
import type { AdminPart } from '#contracts/parts.ts'
import { Button } from '#web/components/button.tsx'

const undoMs = 10_000

type Props = { part: AdminPart; busy: boolean; onUndo: () => void; onExpire: () => void }

/** For ten seconds a deletion is taken back with one key or click. Right after the heading, where the focus goes. */
export function UndoBar({ part, busy, onUndo, onExpire }: Props) {
  const lapse = useEffectEvent(onExpire)
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => lapse(), undoMs)
    return () => clearTimeout(timer)
  }, [busy])
  return (
    <div className="undo-bar">
      <p role="status" className="min-w-0 flex-1">
        <strong className="break-words font-semibold">{part.name}</strong> is deleted. Later you
        find it under State: Deleted.
      </p>
      <Button variant="quiet" className="undo-button" loading={busy} onClick={onUndo}>
        Undo
      </Button>
      <span aria-hidden="true" className="undo-clock" />
    </div>
  )
}
