import { type FormEvent, useState } from 'react'
import { type NewOrderNote, type Note, noteLimit } from '#contracts/desk.ts'
import { Button } from '#web/components/button.tsx'
import { TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { shortMoment } from '#web/lib/moments.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useRemoveNote } from './queries.ts'

function NoteRow({ note }: { note: Note }) {
  const remove = useRemoveNote()
  const ask = () =>
    remove.mutate(note._id, { onError: (problem) => toast('error', problem.message) })
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-line border-b py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere whitespace-pre-line">{note.text}</p>
        <p className="wrap-anywhere text-dim text-sm">
          {note.isForCustomer ? 'For the customer' : 'For us'}, {shortMoment(note.at)}, {note.by}
        </p>
      </div>
      <RowButton busy={remove.isPending} aria-label={`Remove the note: ${note.text}`} onClick={ask}>
        Remove
      </RowButton>
    </li>
  )
}

type Props = {
  notes: Note[]
  /** Whether a note can be for the customer. */
  canTell: boolean
  add: { mutate: (note: NewOrderNote, options: object) => void; isPending: boolean }
}

/** What admins noted, and a field for more. */
export function Notes({ notes, canTell, add }: Props) {
  const [text, setText] = useState('')
  const [isForCustomer, setForCustomer] = useState(false)
  const [problem, setProblem] = useState('')
  function send(event: FormEvent) {
    event.preventDefault()
    if (add.isPending) return
    if (!text.trim()) return setProblem('Note is required')
    add.mutate(
      { text, isForCustomer },
      {
        onSuccess: () => {
          void toast('success', isForCustomer ? 'Emailed to the customer' : 'Noted')
          setText('')
          setForCustomer(false)
          setProblem('')
        },
        onError: (refusal: Error) => setProblem(refusal.message),
      },
    )
  }
  return (
    <section aria-labelledby="notes" className="mt-8 print:hidden">
      <h2 id="notes" className="mb-3 font-semibold text-2xl tracking-tight">
        Notes
      </h2>
      {notes.length > 0 && (
        <ul className="mb-4 border-line border-t">
          {notes.map((note) => (
            <NoteRow key={note._id} note={note} />
          ))}
        </ul>
      )}
      <Form onSubmit={send}>
        <TextArea
          label="Note"
          rows={2}
          typed={text.length}
          limit={noteLimit}
          value={text}
          error={problem}
          onChange={(event) => setText(event.target.value)}
        />
        {canTell && (
          <label className="mb-3 flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              checked={isForCustomer}
              onChange={(event) => setForCustomer(event.target.checked)}
            />
            For the customer, who sees it on the order and gets an email
          </label>
        )}
        <Button type="submit" variant="quiet" loading={add.isPending}>
          Add note
        </Button>
      </Form>
    </section>
  )
}
