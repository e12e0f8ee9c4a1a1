import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '#web/components/field.tsx'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ApiError } from '#web/lib/api.ts'
import { endSession } from '#web/lib/session.ts'
import { toast } from '#web/lib/toast.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out-by.ts'
import { meQuery, useDeleteAccount } from './queries.ts'

type Props = { email: string; onCancel: () => void }

/** Asks for the password, or for the address where there is none, before the account goes. */
export function DeleteAccountDialog({ email, onCancel }: Props) {
  const { data: me, error } = useQuery(meQuery(email))
  const deletion = useDeleteAccount()
  const [typed, setTyped] = useState('')
  useSignedOutBy(error)
  useSignedOutBy(deletion.error)
  const asked = me?.hasPassword === false ? 'email' : 'password'
  const fields = deletion.error instanceof ApiError ? deletion.error.fields : undefined
  const wrong = fields?.[asked]
  function leave() {
    deletion.mutate(
      { [asked]: typed },
      {
        onSuccess: () => {
          void toast('success', 'Your account is deleted.')
          endSession()
        },
      },
    )
  }
  return (
    <FormDialog
      title="Delete my account"
      about={
        <p>
          The account of <strong>{email}</strong> can not be brought back. Your reviews stay, under
          ‘A former customer’.
        </p>
      }
      confirmText="Delete my account"
      busyText="Deleting…"
      danger
      busy={deletion.isPending}
      error={wrong ? undefined : (deletion.error ?? error)?.message}
      onSubmit={(event) => {
        event.preventDefault()
        leave()
      }}
      onCancel={onCancel}
    >
      <Field
        label={asked === 'password' ? 'Your password' : 'Your email'}
        type={asked}
        autoComplete={asked === 'password' ? 'current-password' : 'off'}
        value={typed}
        error={wrong}
        required
        onChange={(event) => {
          setTyped(event.target.value)
          if (deletion.isError) deletion.reset()
        }}
      />
    </FormDialog>
  )
}
