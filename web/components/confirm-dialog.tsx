import { type ReactNode, useEffect, useId, useRef } from 'react'
import { showModal } from '#web/lib/focus-fallback.ts'
import { Button } from './button.tsx'

type ConfirmDialogProps = {
  open: boolean
  title: string
  children?: ReactNode
  confirmText?: string
  /** While true the action is running: the dialog stays and its buttons wait. */
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before what can not be undone. The browser traps focus, gives it back, and starts on the first button, which is Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmText = 'Delete', busy = false } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (open) return showModal(dialog.current)
  }, [open])
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={children ? `${id}-text` : undefined}
      onCancel={(event) => {
        event.preventDefault()
        if (!busy) props.onCancel()
      }}
    >
      <h2 id={`${id}-title`} className="font-display text-xl font-semibold">
        {title}
      </h2>
      {children && (
        <div id={`${id}-text`} className="mt-2 text-dim">
          {children}
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="quiet" waits={busy} onClick={props.onCancel}>
          Cancel
        </Button>
        <Button variant="danger" loading={busy} onClick={props.onConfirm}>
          {confirmText}
        </Button>
      </div>
    </dialog>
  )
}
