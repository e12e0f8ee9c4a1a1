import { useMutation } from '@tanstack/react-query'
import { messages } from '#contracts/messages.ts'
import { Email } from '#contracts/users.ts'
import { Button } from '#web/components/button.tsx'
import { identity } from '#web/lib/identity/embedded.ts'
import { useSession } from '#web/lib/session.ts'
import { toast } from '#web/lib/toast.ts'
import { FormError } from './form-error.tsx'

/** Has the verification mail sent once more: to who is logged in, else to the address that is asked for. */
export function ResendVerification() {
  const { user } = useSession()
  const send = useMutation({
    mutationFn: identity.sendVerification,
    onSuccess: () => toast('success', messages.verificationSent),
  })
  const resend = () => {
    const given = user?.email ?? prompt('Email')?.trim()
    if (!given) return toast('warning', messages.resetNeedsEmail)
    const email = Email.safeParse(given)
    if (!email.success) return toast('error', messages.emailInvalid)
    send.mutate(email.data)
  }
  return (
    <>
      <Button loading={send.isPending} onClick={() => void resend()}>
        Send a new link
      </Button>
      {send.error && (
        <div className="-mt-3 basis-full">
          <FormError error={send.error} />
        </div>
      )}
    </>
  )
}
