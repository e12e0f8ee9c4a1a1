import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { errorMessage } from '#web/lib/identity/messages.ts'
import { IdentityError } from '#web/lib/identity/port.ts'

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
export function useAccountChange<Form extends FieldValues>(wanted: Change<Form>) {
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
