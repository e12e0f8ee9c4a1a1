import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { DisplayName, Email, Password } from '#contracts/users.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { exchangeToken } from '#web/lib/exchange.ts'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { IdentityError } from '#web/lib/identity/port.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { toast } from '#web/lib/toast.ts'
import { sessionsQuery } from './queries.ts'

type Change<Form> = {
  schema: z.ZodType<Form, Form>
  defaultValues: DefaultValues<Form>
  /** The field that shows a wrong password. */
  passwordField?: Path<Form & FieldValues>
  change: (form: Form) => Promise<void>
  onChanged: (form: Form) => void
}

const isWrongPassword = (error: unknown) =>
  error instanceof IdentityError && error.code === 'auth/wrong-password'

/** The form of a dialog that changes something of the account at the identity provider. */
function useAccountChange<Form extends FieldValues>(wanted: Change<Form>) {
  const { schema, defaultValues, passwordField, change, onChanged } = wanted
  const form = useForm<Form, unknown, Form>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues,
  })
  const changing = useMutation({
    mutationFn: change,
    onSuccess: (_, typed) => onChanged(typed),
    onError: (error) => {
      if (!passwordField || !isWrongPassword(error)) return
      form.setError(passwordField, { message: errorMessage(error) }, { shouldFocus: true })
    },
  })
  const isAtField = Boolean(passwordField) && isWrongPassword(changing.error)
  return {
    field: (name: Path<Form>) => ({
      ...form.register(name),
      required: true,
      error: form.formState.errors[name]?.message as string | undefined,
    }),
    dialog: {
      busy: changing.isPending,
      error: changing.error && !isAtField ? errorMessage(changing.error) : undefined,
      onSubmit: form.handleSubmit((typed) => changing.mutateAsync(typed).catch(() => {})),
    },
  }
}

type Props = { email: string; onClose: () => void }

const KnownPassword = z.string().min(1, messages.passwordRequired)

/** The name that orders and reviews carry from now on; the identity provider gets it first. */
export function NameDialog({ name, email, onClose }: Props & { name: string }) {
  const client = useQueryClient()
  const { field, dialog } = useAccountChange({
    schema: z.object({ name: DisplayName }),
    defaultValues: { name },
    async change(form) {
      await (await provider()).setDisplayName(form.name)
      await exchangeToken(email)
    },
    onChanged() {
      void client.invalidateQueries({ queryKey: ['profile'] })
      void toast('success', 'Your name is changed.')
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change your name"
      about={
        <p>New orders and reviews carry it. Those you have keep the name they were made with.</p>
      }
      confirmText="Change name"
      busyText="Changing…"
      onCancel={onClose}
      {...dialog}
    >
      <Field label="Name" autoComplete="name" {...field('name')} />
    </FormDialog>
  )
}

/** Has a link sent to the new address, which is the account's when the link is opened. */
export function EmailDialog(props: Props & { onAsked: (newEmail: string) => void }) {
  const { email, onClose, onAsked } = props
  const { field, dialog } = useAccountChange({
    schema: z.object({
      email: Email.refine((typed) => typed !== email, 'This is your address already'),
      password: KnownPassword,
    }),
    defaultValues: { email: '', password: '' },
    passwordField: 'password',
    change: async (form) => (await provider()).changeEmail(form.email, form.password),
    onChanged(form) {
      void toast('success', messages.verificationSent)
      onAsked(form.email)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change your e-mail"
      about={
        <p>
          We mail a link to the new address. It is yours here when you open the link; until then
          nothing changes. Your orders, reviews and profile stay.
        </p>
      }
      confirmText="Send the link"
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

/** A new password for who knows the old one. This device goes on, every other is signed out. */
export function PasswordDialog({ email, onClose }: Props) {
  const client = useQueryClient()
  const { field, dialog } = useAccountChange({
    schema: z.object({ current: KnownPassword, password: Password }),
    defaultValues: { current: '', password: '' },
    passwordField: 'current',
    async change({ current, password }) {
      await (await provider()).changePassword(current, password)
      await exchangeToken(email)
    },
    onChanged() {
      void client.invalidateQueries(sessionsQuery(email))
      void toast('success', 'Your password is changed. Every other device is signed out.')
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change your password"
      about={<p>Every other device is signed out. This one stays.</p>}
      confirmText="Change password"
      busyText="Changing…"
      onCancel={onClose}
      {...dialog}
    >
      {/* for the password manager, which goes by the address */}
      <input type="email" hidden readOnly autoComplete="username" value={email} />
      <Field
        label="Password now"
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
