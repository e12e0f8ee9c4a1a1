import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { DisplayName, Email, Password } from '#contracts/users.ts'
import { FormDialog } from '#web/components/dialogs.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { Field } from '#web/components/field.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { type IdentityCode, IdentityError } from '#web/lib/identity/port.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { outdate } from '#web/lib/outdated.ts'
import { exchangeToken } from '#web/lib/session/exchange.ts'
import { useSession } from '#web/lib/session/session.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { hasPasswordQuery } from './queries.ts'

/** A text and its button, side by side as long as there is room for half a line. */
export const accountRow = 'flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5'

function Row({ label, value, button }: { label: string; value: ReactNode; button: ReactNode }) {
  return (
    <div className={accountRow}>
      <p className="wrap-anywhere min-w-0 grow basis-40">
        <span className="block text-dim text-sm">{label}</span>
        {value}
      </p>
      {button}
    </div>
  )
}

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

/** The name and the login methods. */
export function LoginSection({ email }: { email: string }) {
  const name = useSession().user?.name ?? ''
  const { data: knownPassword } = useQuery(hasPasswordQuery(email))
  const [open, setOpen] = useState<'name' | 'email' | 'password' | null>(null)
  const [requested, setRequested] = useState('')
  const close = () => setOpen(null)
  const hasPassword = knownPassword !== false
  const change = (what: 'name' | 'email' | 'password') => (
    <RowButton off={knownPassword === undefined} onClick={() => setOpen(what)}>
      Change <span className="sr-only">{what === 'email' ? 'e-mail' : what}</span>
    </RowButton>
  )
  return (
    <section aria-labelledby="name-and-login">
      <h2 id="name-and-login" className="text-2xl font-bold tracking-tight">
        Name and login
      </h2>
      <div className="card mt-4 divide-y divide-line px-6 py-2 sm:px-8">
        <Row label="Your name" value={name} button={change('name')} />
        <Row
          label="Your e-mail"
          value={<EmailText email={email} />}
          button={hasPassword && change('email')}
        />
        <Row
          label="Your password"
          value={
            hasPassword
              ? 'Known to you alone'
              : 'You log in with Google. With a password of your own you can change your e-mail too: we mail you a link to set one.'
          }
          button={hasPassword ? change('password') : <SetPassword email={email} />}
        />
      </div>
      <p role="status" className="pt-3 text-sm empty:pt-0">
        {requested && requested !== email && (
          <>
            We mailed a link to{' '}
            <strong className="break-words">
              <EmailText email={requested} />
            </strong>
            . Open it within one hour, best in this browser. Nothing came? Look for a typing error;
            or the address has an account here already.
          </>
        )}
      </p>
      {open === 'name' && <NameDialog name={name} email={email} onClose={close} />}
      {open === 'email' && <EmailDialog email={email} onClose={close} onAsked={setRequested} />}
      {open === 'password' && <PasswordDialog email={email} onClose={close} />}
    </section>
  )
}

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

/** Sends a link to the new address; opening it changes the account's address. */
function EmailDialog(props: Props & { onAsked: (newEmail: string) => void }) {
  const { email, onClose, onAsked } = props
  const { field, dialog } = useAccountChange({
    schema: z.object({
      email: Email.refine((typed) => typed !== email, 'This is your address already'),
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
      {/* for the password manager, which identifies the account by the address */}
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
