import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Question, ticketLimits } from '#contracts/tickets.ts'
import { Button } from '#web/components/button.tsx'
import { Field, TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { ApiError, api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session/session.ts'

/** A question without an order. With a login, the thread is the account's. */
export default function ContactForm() {
  const { user } = useSession()
  const [name, setName] = useState(user?.name ?? '')
  const [email, setEmail] = useState(user?.email ?? '')
  const [text, setText] = useState('')
  const [problems, setProblems] = useState<Record<string, string>>({})
  const ask = useMutation({
    mutationFn: async (json: Question) => {
      await api.questions.$post({ json })
    },
    onError: (refusal) =>
      setProblems(
        refusal instanceof ApiError && refusal.fields ? refusal.fields : { form: refusal.message },
      ),
  })
  function send(event: FormEvent) {
    event.preventDefault()
    if (ask.isPending) return
    const read = Question.safeParse({ name, email, text })
    if (read.success) {
      setProblems({})
      ask.mutate(read.data)
    } else {
      setProblems(
        Object.fromEntries(
          read.error.issues.map(({ path, message }) => [String(path[0]), message]),
        ),
      )
    }
  }
  if (ask.isSuccess)
    return (
      <p role="status">
        We have received your message. Our answer comes by mail, with a link to all that was
        written.
      </p>
    )
  return (
    <Form onSubmit={send}>
      <Field
        label="Name"
        autoComplete="name"
        value={name}
        error={problems.name ?? ''}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        value={email}
        error={problems.email ?? ''}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextArea
        label="Message"
        rows={4}
        typed={text.length}
        limit={ticketLimits.text}
        value={text}
        error={problems.text ?? ''}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="alert" className="text-danger">
        {problems.form}
      </p>
      <Button type="submit" loading={ask.isPending}>
        Send
      </Button>
    </Form>
  )
}
