import { useMutation } from '@tanstack/react-query'
import { useRouteLoaderData } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { Shop } from '#contracts/shop.ts'
import { Email } from '#contracts/users.ts'
import { Button } from '#web/components/button.tsx'
import { provider } from '#web/lib/identity/provider.ts'
import { useSession } from '#web/lib/session/session.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { FormError } from './auth-form.tsx'

/** The address typed into a prompt; undefined if it is invalid, with a message that says why. */
function addressIn(typed: string | null | undefined): string | undefined {
  const address = typed?.trim()
  const email = Email.safeParse(address)
  if (email.success) return email.data
  void (address
    ? toast('error', messages.emailInvalid)
    : toast('warning', messages.resetNeedsEmail))
  return undefined
}

type ForgotPasswordProps = {
  /** The address to suggest. */
  typed: () => string
  onError: (error: Error | null) => void
}

/** 'Forgot password?': asks for the address and has a reset mail sent. */
export function ForgotPassword({ typed, onError }: ForgotPasswordProps) {
  const sendReset = useMutation({
    mutationFn: async (email: string) => (await provider()).sendReset(email),
    onMutate: () => onError(null),
    onSuccess: () => toast('success', messages.resetSent),
    onError,
  })
  const ask = () => {
    const email = addressIn(prompt('Email', typed()))
    if (email) sendReset.mutate(email)
  }
  return (
    <button
      type="button"
      className="link min-h-9 cursor-pointer"
      aria-busy={sendReset.isPending || undefined}
      aria-disabled={sendReset.isPending || undefined}
      onClick={() => sendReset.isPending || ask()}
    >
      {sendReset.isPending ? 'loading' : 'Forgot password?'}
    </button>
  )
}

/**
 * Has the verification mail sent again, to the logged-in user or else to the address asked for. If
 * mails are not sent out, links to the sandbox mailbox.
 */
export function ResendVerification() {
  const { user } = useSession()
  const shop = useRouteLoaderData<{ shop: Shop }>('root')?.shop
  // Firebase sends its links itself
  const mailbox = shop?.identity.firebase ? null : shop?.mailbox
  const send = useMutation({
    mutationFn: async (email: string) => (await provider()).sendVerification(email),
    onSuccess: () => toast('success', messages.verificationSent),
  })
  const resend = () => {
    const email = addressIn(user?.email ?? prompt('Email'))
    if (email) send.mutate(email)
  }
  return (
    <>
      <Button loading={send.isPending} onClick={resend}>
        Send a new link
      </Button>
      {mailbox && (
        <a href={mailbox} target="_blank" rel="noreferrer" className="link text-sm">
          Open the mailbox
        </a>
      )}
      {send.error && (
        <div className="-mt-3 basis-full">
          <FormError error={send.error} />
        </div>
      )}
    </>
  )
}
