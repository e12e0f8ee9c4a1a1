import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { type StoredText, TextEdit, textPages } from '#contracts/texts.ts'
import { Button } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { NotFound } from '#web/components/error-page.tsx'
import { Form } from '#web/components/form.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { textPageAt } from '#web/content/text-pages.ts'
import { useTextFacts } from '#web/content/use-text-facts.ts'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import type { Route } from './+types/text-screen'
import { sampleMarkdown } from './sample-markdown.ts'
import { Preview, TextFields } from './text-fields.tsx'
import { textsQuery, useSaveText } from './text-queries.ts'
import { useBaseVersion } from './use-base-version.ts'

export const meta = titled('Text')

const Typed = TextEdit.pick({ lead: true, text: true })

function TextForm({ saved, owner }: { saved: StoredText; owner: string }) {
  const page = textPageAt(`/${saved.page}`)
  const facts = useTextFacts()
  const [sample] = useState(() => ({ lead: page.lead, text: sampleMarkdown(page, facts) }))
  const isOwn = saved.text !== ''
  const form = useForm({
    resolver: zodResolver(Typed),
    mode: 'onTouched',
    defaultValues: isOwn ? { lead: saved.lead, text: saved.text } : sample,
  })
  const { version, onSaved } = useBaseVersion(saved.version)
  // a draft of an older version would undo what others saved since
  const clearDraft = useDraft(form, `text ${saved.page} ${version}`, owner)
  const save = useSaveText(saved.page)
  useSignedOutUnlessAdmin(save.error)
  const [isAsking, setAsking] = useState(false)
  const { isDirty } = form.formState
  const refused = save.error instanceof ApiError ? save.error.fields : undefined

  async function send(typed: { lead: string; text: string }, said: string) {
    try {
      await save.mutateAsync({ version, ...typed })
    } catch {
      return
    }
    clearDraft()
    onSaved()
    form.reset(typed.text ? typed : sample)
    toast('success', said)
  }

  return (
    <>
      <Form
        aria-label={page.title}
        onSubmit={form.handleSubmit((typed) => send(typed, 'The page now has your text.'))}
      >
        <TextFields form={form} refused={refused} />
        <p role="alert" className="pb-4 text-danger empty:pb-0">
          {!refused && save.error?.message}
        </p>
        <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
          <Button type="submit" disabled={!isDirty} loading={save.isPending}>
            Save
          </Button>
          {isOwn && (
            <Button variant="quiet" waits={save.isPending} onClick={() => setAsking(true)}>
              Use the standard text
            </Button>
          )}
          <p role="status" className="text-dim text-sm">
            {isDirty && 'Not saved yet. What you typed stays in this tab.'}
            {!isDirty && (isOwn ? 'The page has your text.' : 'The page has the standard text.')}
          </p>
        </div>
      </Form>
      <Preview text={form.watch('text')} />
      <ConfirmDialog
        open={isAsking}
        title="Use the standard text again?"
        confirmText="Use standard text"
        busy={save.isPending}
        onConfirm={async () => {
          await send({ lead: '', text: '' }, 'The page has the standard text again.')
          setAsking(false)
        }}
        onCancel={() => setAsking(false)}
      >
        This deletes your own text for this page.
      </ConfirmDialog>
    </>
  )
}

/** The owner's own text of a page. */
export default function TextScreen({ params }: Route.ComponentProps) {
  const { user } = useSession()
  const { data, error, refetch, isFetching } = useQuery(textsQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  const name = textPages.find((page) => page === params.page)
  if (!name) return <NotFound />
  const saved = data?.find(({ page }) => page === name)
  return (
    <section aria-labelledby="text" className="min-h-svh max-w-3xl">
      <p>
        <Link to="/dashboard/settings" className="link inline-flex min-h-11 items-center">
          Settings
        </Link>
      </p>
      <h1 id="text" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        {textPageAt(`/${name}`).title}
      </h1>
      <p className="mt-2 mb-6">
        <Link to={`/${name}`} className="link inline-flex min-h-11 items-center">
          See the page
        </Link>
      </p>
      {!saved && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!saved && !error && <Skeleton className="h-dvh" />}
      {saved && user && <TextForm key={saved.page} saved={saved} owner={user.email} />}
    </section>
  )
}
