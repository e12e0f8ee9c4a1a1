import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { plainLetters } from '#contracts/plain-letters.ts'
import { pagePath } from '#contracts/shop.ts'
import { PageEdit, PageParams, pageGroups, type StoredPage } from '#contracts/texts.ts'
import { Button } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { Field, Select } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toastAfterReload } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import type { Route } from './+types/own-page-screen'
import { Preview, TextFields } from './text-fields.tsx'
import { ownPagesQuery, useRemoveOwnPage, useSaveOwnPage } from './text-queries.ts'
import { useBaseVersion } from './use-base-version.ts'

export const meta = titled('Page')

const Typed = PageEdit.omit({ version: true }).extend(PageParams.shape)
const groups = Object.fromEntries(pageGroups.map((group) => [group, group]))
const empty = { address: '', title: '', group: 'Services' as const, lead: '', text: '' }

/** The address that a title suggests: "Build service" → build-service. */
const addressOf = (title: string) =>
  plainLetters(title)
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 60)
    .replace(/-$/, '')

/** @param saved undefined for a new page */
function PageForm({ saved, owner }: { saved: StoredPage | undefined; owner: string }) {
  const navigate = useNavigate()
  const { version: read, ...stored } = saved ?? { ...empty, version: 0 }
  const { version } = useBaseVersion(read)
  const form = useForm({ resolver: zodResolver(Typed), mode: 'onTouched', defaultValues: stored })
  const clearDraft = useDraft(form, `page ${saved?.address ?? ''} ${version}`, owner)
  const [save, remove] = [useSaveOwnPage(), useRemoveOwnPage()]
  const error = save.error ?? remove.error
  useSignedOutUnlessAdmin(error)
  const [isAsking, setAsking] = useState(false)
  const [suggested, setSuggested] = useState('')
  const { errors, isDirty } = form.formState
  const refused = save.error instanceof ApiError ? save.error.fields : undefined

  /** The footer of every page has other links now. */
  function leave(said: string) {
    clearDraft()
    toastAfterReload(said)
    location.replace('/dashboard/settings')
  }
  const submit = form.handleSubmit(async ({ address, ...page }) => {
    try {
      await save.mutateAsync({ address, edit: { version, ...page } })
    } catch {
      return
    }
    leave(`“${page.title}” is now in the footer.`)
  })

  return (
    <>
      <Form aria-label="Page" onSubmit={submit}>
        <Field
          label="Title"
          autoComplete="off"
          error={errors.title?.message ?? refused?.title ?? ''}
          {...form.register('title', {
            onChange: ({ target }) => {
              if (saved || form.getValues('address') !== suggested) return
              const address = addressOf(target.value)
              setSuggested(address)
              form.setValue('address', address)
            },
          })}
        />
        {!saved && (
          <Field
            label="Address"
            hint={`The page will be at ${pagePath(form.watch('address') || '…')}. You can’t change this later.`}
            autoComplete="off"
            error={errors.address?.message ?? refused?.address ?? ''}
            {...form.register('address')}
          />
        )}
        <div className="field max-w-60 pb-5">
          <Select
            label="Group in the footer"
            value={form.watch('group')}
            choices={groups}
            onChange={(group) =>
              form.setValue('group', group as StoredPage['group'], { shouldDirty: true })
            }
          />
        </div>
        <TextFields form={form} refused={refused} />
        <p role="alert" className="pb-4 text-danger empty:pb-0">
          {!refused && error?.message}
        </p>
        <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
          <Button type="submit" disabled={!isDirty} loading={save.isPending}>
            {saved ? 'Save' : 'Add page'}
          </Button>
          {saved ? (
            <Button variant="quiet" waits={save.isPending} onClick={() => setAsking(true)}>
              Delete page
            </Button>
          ) : (
            <Button variant="quiet" onClick={() => void navigate('/dashboard/settings')}>
              Cancel
            </Button>
          )}
          <p role="status" className="text-dim text-sm">
            {isDirty && 'Not saved yet. What you typed stays in this tab.'}
          </p>
        </div>
      </Form>
      <Preview text={form.watch('text')} />
      {saved && (
        <ConfirmDialog
          open={isAsking}
          title={`Delete “${saved.title}”?`}
          confirmText="Delete"
          busy={remove.isPending}
          onConfirm={async () => {
            try {
              await remove.mutateAsync({ ...saved, version })
            } catch {
              setAsking(false)
              return
            }
            leave(`“${saved.title}” has been deleted.`)
          }}
          onCancel={() => setAsking(false)}
        >
          Its address will show ‘not found’, and its text will be gone for good.
        </ConfirmDialog>
      )}
    </>
  )
}

/** Makes, changes and removes a page of the owner's own. */
export default function OwnPageScreen({ params: { address } }: Route.ComponentProps) {
  const { user } = useSession()
  const { data, error, refetch, isFetching } = useQuery(ownPagesQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  const isNew = address === 'new'
  const saved = data?.find((page) => page.address === address)
  return (
    <section aria-labelledby="page" className="min-h-svh max-w-3xl">
      <p>
        <Link to="/dashboard/settings" className="link inline-flex min-h-11 items-center">
          Settings
        </Link>
      </p>
      <h1 id="page" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        {isNew ? 'Your own page' : (saved?.title ?? 'Page')}
      </h1>
      <p className="mt-2 mb-6 min-h-11">
        {saved && (
          <Link to={pagePath(address)} className="link inline-flex min-h-11 items-center">
            See the page
          </Link>
        )}
      </p>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-dvh" />}
      {data && !saved && !isNew && (
        <EmptyState title="This page doesn’t exist">It may have been deleted.</EmptyState>
      )}
      {data && user && (saved || isNew) && (
        <PageForm key={address} saved={saved} owner={user.email} />
      )}
    </section>
  )
}
