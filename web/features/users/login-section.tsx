import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messages } from '#contracts/messages.ts'
import { EmailText } from '#web/components/email-text.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { useSession } from '#web/lib/session/session.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import type { ChangedPart } from './account-dialogs.tsx'
import { accountRow } from './account-row.ts'
import { hasPasswordQuery } from './queries.ts'

const AccountDialog = lazy(withTimeout(() => import('./account-dialogs.tsx')))

/**
 * Users who signed up with Google set a first password through a mail, which proves their address.
 */
function SetPassword({ email }: { email: string }) {
  const sending = useMutation({
    mutationFn: async () => (await provider()).sendReset(email),
    onSuccess: () => toast('success', messages.resetSent),
    onError: (error) => toast('error', errorMessage(error)),
  })
  return (
    <RowButton busy={sending.isPending} onClick={() => sending.mutate()}>
      Set a password
    </RowButton>
  )
}

/** The buttons that change what an account is known by, and what they show. */
export function useAccountChanges(email: string) {
  const name = useSession().user?.name ?? ''
  const { data: knownPassword } = useQuery(hasPasswordQuery(email))
  const [open, setOpen] = useState<ChangedPart | null>(null)
  const [requested, setRequested] = useState('')
  const button = (what: ChangedPart) => (
    <RowButton off={knownPassword === undefined} onClick={() => setOpen(what)}>
      Change <span className="sr-only">{what}</span>
    </RowButton>
  )
  const dialog = open && (
    <Suspense>
      <AccountDialog
        part={open}
        name={name}
        email={email}
        onAsked={setRequested}
        onClose={() => setOpen(null)}
      />
    </Suspense>
  )
  const note = (
    <p role="status" className="pt-3 text-sm empty:pt-0">
      {requested && requested !== email && (
        <>
          We emailed a link to{' '}
          <strong className="break-words">
            <EmailText email={requested} />
          </strong>
          . Open it within one hour, ideally in this browser. Nothing there? Check for typos; or the
          address may already have an account here.
        </>
      )}
    </p>
  )
  return { hasPassword: knownPassword !== false, button, dialog, note }
}

/** How the user logs in. */
export function LoginSection({ email }: { email: string }) {
  const { hasPassword, button, dialog } = useAccountChanges(email)
  return (
    <section aria-labelledby="login">
      <h2 id="login" className="text-2xl font-bold tracking-tight">
        Login
      </h2>
      <div className="card mt-4 px-6 py-2 sm:px-8">
        <div className={accountRow}>
          <p className="min-w-0 grow basis-40">
            <span className="block text-dim text-sm">Your password</span>
            {hasPassword
              ? 'Only you know it'
              : 'You log in with Google. Set a password to be able to change your email too: we’ll email you a link.'}
          </p>
          {hasPassword ? button('password') : <SetPassword email={email} />}
        </div>
      </div>
      {dialog}
    </section>
  )
}
