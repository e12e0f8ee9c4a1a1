import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { enterCode } from '#web/lib/identity/second-factor.ts'
import { codeHint, codeInput, TypedCode } from './code-form.tsx'

/** Asks for a one-time code before a call goes on. `onDone` gets whether one was accepted. */
export default function ConfirmCodeDialog({ onDone }: { onDone: (isEntered: boolean) => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(TypedCode),
    defaultValues: { code: '' },
  })
  const [busy, setBusy] = useState(false)
  const enter = handleSubmit(async ({ code }) => {
    setBusy(true)
    try {
      await enterCode(code)
      onDone(true)
    } catch (error) {
      setBusy(false)
      setError('code', { message: errorMessage(error as Error) }, { shouldFocus: true })
    }
  })
  return (
    <FormDialog
      title="Confirm it’s you"
      about="Your account has a second factor. Enter a code; you won’t be asked again for ten minutes."
      confirmText="Confirm"
      busyText="Confirming…"
      busy={busy}
      onSubmit={enter}
      onCancel={() => onDone(false)}
    >
      <Field
        label="Code"
        hint={codeHint}
        {...codeInput}
        error={formState.errors.code?.message}
        {...register('code')}
      />
    </FormDialog>
  )
}
