import { type FormEventHandler, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { showModal } from '#web/lib/focus-fallback.ts'
import { Button } from './button.tsx'
import { Form } from './form.tsx'

type Props = {
  title: string
  /** What it is about, under the title. */
  about: ReactNode
  confirmText: string
  busyText: string
  /** The action can not be undone. */
  danger?: boolean
  /** While true the action is running: the dialog stays and its buttons wait. */
  busy: boolean
  /** Why the action failed. The input stays. */
  error?: string | undefined
  onSubmit: FormEventHandler<HTMLFormElement>
  onCancel: () => void
  children: ReactNode
}

/** A form to fill in before an action. Open as long as it is rendered; the browser traps the focus and restores it. */
export function FormDialog({ title, about, children, ...props }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // closed while it is still in the page: only then does the browser give the focus back
  useLayoutEffect(() => showModal(dialog.current), [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      onCancel={(event) => {
        event.preventDefault()
        if (!props.busy) props.onCancel()
      }}
    >
      <h2 id={`${id}-title`} className="font-display text-xl font-semibold">
        {title}
      </h2>
      <div id={`${id}-about`} className="mt-1 mb-5 text-dim">
        {about}
      </div>
      <Form onSubmit={props.onSubmit}>
        {children}
        <p role="alert" className="text-danger text-sm">
          {props.error}
        </p>
        <div className="mt-4 flex flex-wrap justify-end gap-3">
          <Button variant="quiet" waits={props.busy} onClick={props.onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant={props.danger ? 'danger' : 'primary'}
            loading={props.busy}
            loadingText={props.busyText}
          >
            {props.confirmText}
          </Button>
        </div>
      </Form>
    </dialog>
  )
}
