import { useMutation } from '@tanstack/react-query'
import { messages } from '#contracts/messages.ts'
import { Email } from '#contracts/users.ts'
import { identity } from '#web/lib/identity/embedded.ts'
import { toast } from '#web/lib/toast.ts'

/** 'Forgot password?': asks for the address, `typed` being the first guess, and has a reset mail sent. */
export function ForgotPassword({ typed }: { typed: () => string }) {
  const sendReset = useMutation({
    mutationFn: identity.sendReset,
    onSuccess: () => toast('success', messages.resetSent),
    onError: (error) => toast('error', error.message),
  })
  const ask = () => {
    const given = prompt('Email', typed())?.trim()
    if (!given) return toast('warning', messages.resetNeedsEmail)
    const email = Email.safeParse(given)
    if (!email.success) return toast('error', messages.emailInvalid)
    sendReset.mutate(email.data)
  }
  return (
    <button
      type="button"
      className="link min-h-9 cursor-pointer"
      disabled={sendReset.isPending}
      onClick={() => void ask()}
    >
      {sendReset.isPending ? 'loading' : 'Forgot password?'}
    </button>
  )
}
