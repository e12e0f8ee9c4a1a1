import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FormDialog } from '#web/components/dialogs.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { Field } from '#web/components/field.tsx'
import { ApiError } from '#web/lib/api.ts'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { endSession } from '#web/lib/session/session.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { meQuery, useDeleteAccount } from './queries.ts'

type Props = { email: string; onCancel: () => void }

const asking = {
  password: {
    label: 'Your password',
    autoComplete: 'current-password',
    nothing: 'Enter your password',
  },
  email: { label: 'Your email', autoComplete: 'off', nothing: 'Type your email' },
}

/** Deletes the account with the typed proof; an error moves the focus back to the input. */
function useLeaving(proof: keyof typeof asking) {
  const isElsewhere = useShop().identity.firebase !== null
  const deletion = useDeleteAccount(isElsewhere)
  const [typed, setTyped] = useState('')
  const [empty, setEmpty] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useSignedOutBy(deletion.error)
  const refused = deletion.error instanceof ApiError ? deletion.error.fields?.[proof] : undefined
  function leave() {
    setEmpty(typed === '')
    if (typed === '') return input.current?.focus()
    deletion.mutate(
      { [proof]: typed },
      {
        onSuccess: () => {
          void toast('success', 'Your account has been deleted.')
          endSession()
        },
        onError: (problem) => {
          if (problem instanceof ApiError && problem.fields) input.current?.select()
        },
      },
    )
  }
  function type(text: string) {
    setTyped(text)
    setEmpty(false)
    if (deletion.isError) deletion.reset()
  }
  const inputError = empty ? asking[proof].nothing : refused
  return { typed, type, leave, input, inputError, deletion }
}

/**
 * Asks for the password, or for the address of an account without one, before deleting the account.
 */
export default function DeleteAccountDialog({ email, onCancel }: Props) {
  const { data: me, error } = useQuery(meQuery(email))
  useSignedOutBy(error)
  const proof = me?.hasPassword === false ? 'email' : 'password'
  const { label, autoComplete } = asking[proof]
  const { typed, type, leave, input, inputError, deletion } = useLeaving(proof)
  const problem = deletion.error ?? error
  return (
    <FormDialog
      title="Delete my account"
      about={
        <p>
          The account of{' '}
          <strong className="break-words">
            <EmailText email={email} />
          </strong>{' '}
          will be gone for good. Your reviews stay, under ‘A former customer’.
        </p>
      }
      confirmText="Delete my account"
      busyText="Deleting…"
      danger
      busy={deletion.isPending}
      error={problem && !inputError ? errorMessage(problem) : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (me) leave()
      }}
      onCancel={onCancel}
    >
      <Field
        ref={input}
        label={label}
        type={proof}
        autoComplete={autoComplete}
        value={typed}
        error={inputError}
        required
        readOnly={!me || deletion.isPending}
        onChange={(event) => type(event.target.value)}
      />
    </FormDialog>
  )
}
