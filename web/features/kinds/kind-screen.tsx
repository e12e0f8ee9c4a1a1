import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { counted } from '#contracts/counted.ts'
import { drawingAddress, kindDrawings } from '#contracts/drawings.ts'
import type { KindPage } from '#contracts/kind-edits.ts'
import { kindLimits } from '#contracts/kinds.ts'
import { messages } from '#contracts/messages.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { Field, Select } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { Picture } from '#web/components/picture.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { kindQuery, useRemoveKind } from '#web/features/catalogue/admin-queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { focusHeading } from '#web/lib/use-page-focus.ts'
import { FieldCard } from './field-card.tsx'
import { type DraftField, moved, newField } from './kind-draft.ts'
import { type Editing, useKindDraft } from './use-kind-draft.ts'

export const meta = titled('A category')

const drawingChoices = Object.fromEntries(
  kindDrawings.map((name) => [
    drawingAddress(name),
    name === 'part' ? 'The general drawing' : name.replaceAll('-', ' '),
  ]),
)

function Fields({ kind, editing }: { kind: KindPage; editing: Editing }) {
  const { draft, problems, change, open, setOpen } = editing
  const [announcement, setAnnouncement] = useState('')
  const setFields = (fields: DraftField[]) => change({ fields })
  const groups = [...new Set(draft.fields.flatMap(({ group }) => (group ? [group] : [])))]
  function add() {
    const field = newField()
    setFields([...draft.fields, field])
    setOpen(field.id, true)
  }
  function move(at: number, by: -1 | 1) {
    setFields(moved(draft.fields, at, by))
    setAnnouncement(
      `${draft.fields[at]?.label || 'The new field'} is now ${at + by + 1} of ${draft.fields.length}`,
    )
  }
  return (
    <section aria-labelledby="fields" className="mt-8">
      <h2 id="fields" className="font-display font-semibold text-xl tracking-tight">
        Fields
      </h2>
      <p className="mt-1 mb-3 max-w-[68ch] text-pretty text-dim text-sm">
        Filters, cards, comparisons and the product form show fields in this order.
      </p>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {draft.fields.length === 0 && (
        <EmptyState title="No fields yet">
          Add what customers choose by, such as length or socket.
        </EmptyState>
      )}
      <ol className="grid gap-3">
        {draft.fields.map((field, at) => (
          <FieldCard
            key={field.id}
            field={field}
            slug={kind.slug}
            parts={kind.parts}
            groups={groups}
            isFirst={at === 0}
            isLast={at === draft.fields.length - 1}
            isOpen={open.includes(field.id)}
            onOpen={(isOpen) => setOpen(field.id, isOpen)}
            problem={(name) => problems[`${field.id}.${name}`] ?? ''}
            set={(changes) => setFields(draft.fields.with(at, { ...field, ...changes }))}
            onMove={(by) => move(at, by)}
            onRemove={() => setFields(draft.fields.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <p className="field-error" aria-live="polite">
        {problems.fields}
      </p>
      <Button variant="quiet" className="mt-2" onClick={add}>
        Add a field
      </Button>
    </section>
  )
}

function RemoveKind({ kind, onRemoved }: { kind: KindPage; onRemoved: () => void }) {
  const remove = useRemoveKind(kind.slug)
  const navigate = useNavigate()
  if (kind.parts > 0 || kind.fields.some(({ isBuiltin }) => isBuiltin)) return null
  return (
    <>
      <Button
        variant="quiet"
        loading={remove.isPending}
        loadingText="Removing…"
        onClick={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              onRemoved()
              navigate('/dashboard/kinds')
            },
          })
        }
      >
        Remove this category
      </Button>
      <p role="alert" className="w-full text-danger text-sm empty:hidden">
        {remove.error?.message}
      </p>
    </>
  )
}

function NameFields({ editing: { draft, problems, change } }: { editing: Editing }) {
  return (
    <div className="card grid gap-x-5 p-5 sm:grid-cols-[6rem_minmax(0,1fr)] sm:p-8">
      <span className="mb-4 w-24 self-start thumb">
        <Picture src={draft.drawing} alt="" sizes="96px" />
      </span>
      <div className="grid items-start gap-x-5 lg:grid-cols-3">
        <Field
          label="Name"
          autoComplete="off"
          required
          maxLength={kindLimits.name}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          error={problems.name ?? ''}
        />
        <Field
          label="Also called"
          placeholder="gpu | video card"
          autoComplete="off"
          value={draft.otherNames}
          onChange={(event) => change({ otherNames: event.target.value })}
          error={problems.otherNames ?? ''}
        />
        <Select
          label="Drawing"
          value={draft.drawing}
          choices={drawingChoices}
          onChange={(drawing) => change({ drawing })}
        />
      </div>
    </div>
  )
}

type RefusalProps = { editing: Editing; onReload: () => Promise<void>; leaving: ReactNode }

/** A server error that no input shows. */
function Refusal({ editing: { edit, problems }, onReload, leaving }: RefusalProps) {
  const { error } = edit
  if (!error || leaving || Object.keys(problems).length > 0) return <p role="alert" />
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'IN_USE') return <p role="alert" />
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <p role="alert" className="text-danger">
        {error.message}
      </p>
      {code === 'OUTDATED' && (
        <RowButton onClick={() => void onReload()}>See the saved version</RowButton>
      )}
    </div>
  )
}

type EditorProps = {
  kind: KindPage
  /** The admin's e-mail, for the draft. */
  owner: string
  refetch: () => Promise<KindPage>
}

function KindEditor({ kind, owner, refetch }: EditorProps) {
  const editing = useKindDraft(kind, owner)
  const { edit, problems, save, isDirty } = editing
  const leaving = useSignedOutUnlessAdmin(edit.error)
  const isAsking = edit.error instanceof ApiError && edit.error.code === 'IN_USE'
  const inputs = useRef<HTMLDivElement>(null)
  // the button is far below the inputs, whose errors would be out of view
  useEffect(() => {
    if (Object.keys(problems).length > 0)
      inputs.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])
  function submit(event: FormEvent) {
    event.preventDefault()
    save()
  }
  return (
    <Form aria-label="Category details" onSubmit={submit}>
      <div ref={inputs}>
        <NameFields editing={editing} />
        <Fields kind={kind} editing={editing} />
      </div>
      <div className="mt-6 border-line border-t pt-6">
        <Refusal
          editing={editing}
          leaving={leaving}
          onReload={async () => editing.reload(await refetch())}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" loading={edit.isPending} loadingText="Saving…">
            Save
          </Button>
          {isDirty && (
            <Button
              variant="quiet"
              waits={edit.isPending}
              onClick={() => {
                editing.reload(kind)
                focusHeading()
              }}
            >
              Discard changes
            </Button>
          )}
          <RemoveKind kind={kind} onRemoved={editing.clear} />
          <p role="status" className="text-dim text-sm">
            {isDirty ? 'Not saved yet. What you typed stays in this tab.' : 'Everything is saved.'}
          </p>
        </div>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Save anyway?"
        confirmText="Save anyway"
        busy={edit.isPending}
        onCancel={() => edit.reset()}
        onConfirm={() => save(true)}
      >
        {isAsking && edit.error?.message}
      </ConfirmDialog>
    </Form>
  )
}

/** One kind: its names, its drawing, and the fields of its products. */
export default function KindScreen() {
  const { slug = '' } = useParams()
  const { user } = useSession()
  const { data, error, refetch, isFetching } = useQuery({
    ...kindQuery(slug),
    // the draft is compared with the kind as it was loaded
    refetchOnWindowFocus: false,
  })
  usePageTitle(data?.name ?? 'A category')
  useSignedOutUnlessAdmin(error)
  async function fresh() {
    const { data: now } = await refetch({ throwOnError: true })
    if (!now) throw new Error('no such category')
    return now
  }
  if (!data && error instanceof ApiError && error.code === 'NOT_FOUND') {
    return (
      <EmptyState
        heading="h1"
        title={messages.notFound}
        action={<ButtonLink to="/dashboard/kinds">Categories</ButtonLink>}
      >
        There is no such category.
      </EmptyState>
    )
  }
  return (
    <section aria-labelledby="kind" className="@container min-h-svh">
      <p className="label">
        <Link
          to="/dashboard/kinds"
          className="inline-block min-h-6 hover:text-copper hover:underline"
        >
          Categories
        </Link>
      </p>
      <h1
        id="kind"
        tabIndex={-1}
        className="mb-2 wrap-anywhere text-4xl/[1.15] font-bold tracking-tight"
      >
        {data?.name ?? 'Category'}
      </h1>
      {!data && !error && <Skeleton className="mt-6 h-96" />}
      {!data && error && (
        <ErrorState message={error.message} retrying={isFetching} onRetry={() => void refetch()} />
      )}
      {data && (
        <>
          <p className="mb-5 text-dim">
            {data.parts === 0 ? 'No products yet. ' : `${counted(data.parts, 'product')}. `}
            <Link
              to={`/dashboard/manageProducts?kind=${encodeURIComponent(slug)}`}
              className="link"
            >
              {data.parts === 0 ? 'Manage products' : 'Manage them'}
            </Link>
          </p>
          {user && (
            <KindEditor
              key={data.slug + user.email}
              kind={data}
              owner={user.email}
              refetch={fresh}
            />
          )}
        </>
      )}
    </section>
  )
}
