import { useMutation } from '@tanstack/react-query'
import { messages } from '#contracts/messages.ts'
import { Email } from '#contracts/users.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { toast } from '#web/lib/toast.ts'

type ForgotPasswordProps = {
  /** The first guess of the address. */
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
      aria-busy={sendReset.isPending || undefined}
      aria-disabled={sendReset.isPending || undefined}
      onClick={() => sendReset.isPending || void ask()}
    >
      {sendReset.isPending ? 'loading' : 'Forgot password?'}
    </button>
  )
}
