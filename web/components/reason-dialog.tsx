import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Reason } from '#contracts/api.ts'
import { Field } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'

type Props = {
  title: string
  about: ReactNode
  /** Who reads the reason. */
  hint: string
  confirmText: string
  busyText: string
  danger?: boolean
  busy: boolean
  error?: string | undefined
  onConfirm: (reason: string) => void
  onCancel: () => void
  /** Other questions of the same form. */
  children?: ReactNode
}

/** Asks why, before an action that the audit log keeps with its reason. Open as long as it is rendered. */
export function ReasonDialog({ hint, onConfirm, children, ...dialog }: Props) {
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
