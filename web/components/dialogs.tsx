import { zodResolver } from '@hookform/resolvers/zod'
import {
  type FormEventHandler,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { useForm } from 'react-hook-form'
import { Reason } from '#contracts/api.ts'
import { showModal } from '#web/lib/focus-fallback.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Form } from './form.tsx'

type ConfirmDialogProps = {
  open: boolean
  title: string
  children?: ReactNode
  confirmText?: string
  /** On the button that changes nothing. */
  dismissText?: string
  /** While true, the action is running: the dialog stays open and its buttons are inactive. */
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/**
 * Asks for confirmation before an irreversible action. The browser traps the focus, restores it,
 * and starts on the first button, which changes nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, busy = false } = props
  const { confirmText = 'Delete', dismissText = 'Cancel' } = props
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
          {dismissText}
        </Button>
        <Button variant="danger" loading={busy} onClick={props.onConfirm}>
          {confirmText}
        </Button>
      </div>
    </dialog>
  )
}

type FormDialogProps = {
  title: string
  /** The subject of the dialog, below the title. */
  about: ReactNode
  confirmText: string
  busyText: string
  /** The action cannot be undone. */
  danger?: boolean
  /** While true, the action is running: the dialog stays open and its buttons are inactive. */
  busy: boolean
  /** Why the action failed. The dialog keeps the input. */
  error?: string | undefined
  onSubmit: FormEventHandler<HTMLFormElement>
  onCancel: () => void
  children: ReactNode
}

/**
 * A form to fill in before an action. It is open as long as it is rendered; the browser traps the
 * focus and restores it.
 */
export function FormDialog({ title, about, children, ...props }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // close the dialog while it is still in the page: only then does the browser restore the focus
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

type ReasonDialogProps = {
  title: string
  about: ReactNode
  /** Tells the admin who reads the reason. */
  hint: string
  confirmText: string
  busyText: string
  danger?: boolean
  busy: boolean
  error?: string | undefined
  onConfirm: (reason: string) => void
  onCancel: () => void
  /** Further inputs of the same form. */
  children?: ReactNode
}

/**
 * Asks for a reason before an action; the audit log stores both. It is open as long as it is
 * rendered.
 */
export function ReasonDialog({ hint, onConfirm, children, ...dialog }: ReasonDialogProps) {
  const form = useForm({ resolver: zodResolver(Reason), defaultValues: { reason: '' } })
  return (
    <FormDialog {...dialog} onSubmit={form.handleSubmit(({ reason }) => onConfirm(reason))}>
      <Field
        label="Reason"
        hint={hint}
        required
        autoComplete="off"
        error={form.formState.errors.reason?.message}
        {...form.register('reason')}
      />
      {children}
    </FormDialog>
  )
}
