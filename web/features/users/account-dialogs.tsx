import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { DisplayName, Email, Password } from '#contracts/users.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { type IdentityCode, IdentityError } from '#web/lib/identity/port.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { outdate } from '#web/lib/outdated.ts'
import { exchangeToken } from '#web/lib/session/exchange.ts'
import { toast } from '#web/lib/toasts/toast.ts'

type Change<Form> = {
  schema: z.ZodType<Form, Form>
  defaultValues: DefaultValues<Form>
  /** The error that a field shows, such as a wrong password. */
  wrongAt?: { code: IdentityCode; field: Path<Form & FieldValues> }
  change: (form: Form) => Promise<void>
  onChanged: (form: Form) => void
}

export const wrongPassword = <F extends string>(field: F) =>
  ({ code: 'auth/wrong-password', field }) as const

/** The form of a dialog that changes account data at the identity provider. */
export function useAccountChange<Form extends FieldValues>(options: Change<Form>) {
  const { schema, defaultValues, wrongAt, change, onChanged } = options
  const isAtField = (error: unknown) =>
    error instanceof IdentityError && error.code === wrongAt?.code
  const form = useForm<Form, unknown, Form>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues,
  })
  const changing = useMutation({
    mutationFn: change,
    onSuccess: (_, typed) => onChanged(typed),
    onError: (error) => {
      if (!wrongAt || !isAtField(error)) return
      form.setError(wrongAt.field, { message: errorMessage(error) }, { shouldFocus: true })
    },
  })
  return {
    field: (name: Path<Form>) => ({
      ...form.register(name),
      required: true,
      error: form.formState.errors[name]?.message as string | undefined,
    }),
    dialog: {
      busy: changing.isPending,
      error:
        changing.error && !isAtField(changing.error) ? errorMessage(changing.error) : undefined,
      onSubmit: form.handleSubmit((typed) => changing.mutateAsync(typed).catch(() => {})),
    },
  }
}

type Props = { email: string; onClose: () => void }

const KnownPassword = z.string().min(1, messages.passwordRequired)

/** Changes the name on future orders and reviews; the identity provider gets it first. */
function NameDialog({ name, email, onClose }: Props & { name: string }) {
  const client = useQueryClient()
  const { field, dialog } = useAccountChange({
    schema: z.object({ name: DisplayName }),
    defaultValues: { name },
    async change(form) {
      await (await provider()).setDisplayName(form.name)
      await exchangeToken(email)
    },
    onChanged() {
      void outdate(client, 'changeName')
      void toast('success', 'Your name has been changed.')
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change your name"
      about={<p>New orders and reviews will show it. Existing ones keep the old name.</p>}
      confirmText="Change name"
      busyText="Changing…"
      onCancel={onClose}
      {...dialog}
    >
      <Field label="Name" autoComplete="name" {...field('name')} />
    </FormDialog>
  )
}

/** Sends a link to the new address; opening it changes the account's address. */
function EmailDialog(props: Props & { onAsked: (newEmail: string) => void }) {
  const { email, onClose, onAsked } = props
  const { field, dialog } = useAccountChange({
    schema: z.object({
      email: Email.refine((typed) => typed !== email, 'This is already your address'),
      password: KnownPassword,
    }),
    defaultValues: { email: '', password: '' },
    wrongAt: wrongPassword('password'),
    change: async (form) => (await provider()).changeEmail(form.email, form.password),
    onChanged(form) {
      void toast('success', messages.verificationSent)
      onAsked(form.email)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change your email"
      about={
        <p>
          We’ll email a link to your new address. Nothing changes until you open it. You keep your
          orders, reviews and profile.
        </p>
      }
      confirmText="Send link"
      busyText="Sending…"
      onCancel={onClose}
      {...dialog}
    >
      <Field
        label="New email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        {...field('email')}
      />
      <Field
        label="Your password"
        type="password"
        autoComplete="current-password"
        {...field('password')}
      />
    </FormDialog>
  )
}

/**
 * Changes the password, given the old one. This device stays signed in, all others are signed out.
 */
function PasswordDialog({ email, onClose }: Props) {
  const client = useQueryClient()
  const { field, dialog } = useAccountChange({
    schema: z.object({ current: KnownPassword, password: Password }),
    defaultValues: { current: '', password: '' },
    wrongAt: wrongPassword('current'),
    async change({ current, password }) {
      await (await provider()).changePassword(current, password)
      await exchangeToken(email)
    },
    onChanged() {
      void outdate(client, 'changePassword')
      void toast(
        'success',
        'Your password has been changed. All your other devices are logged out.',
      )
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change your password"
      about={<p>All your other devices will be logged out. This one stays logged in.</p>}
      confirmText="Change password"
      busyText="Changing…"
      onCancel={onClose}
      {...dialog}
    >
      {/* for the password manager, which identifies the account by the address */}
      <input type="email" hidden readOnly autoComplete="username" value={email} />
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('current')}
      />
      <Field
        label="New password"
        type="password"
        hint="6 characters or longer"
        autoComplete="new-password"
        {...field('password')}
      />
    </FormDialog>
  )
}

export type ChangedPart = 'name' | 'email' | 'password'

type AccountDialogProps = Props & {
  part: ChangedPart
  name: string
  /** Called with a new address to which a link was mailed. */
  onAsked: (newEmail: string) => void
}

/** The dialog that changes a part of the login. */
export default function AccountDialog({ part, name, onAsked, ...props }: AccountDialogProps) {
  if (part === 'name') return <NameDialog name={name} {...props} />
  if (part === 'email') return <EmailDialog onAsked={onAsked} {...props} />
  return <PasswordDialog {...props} />
}
