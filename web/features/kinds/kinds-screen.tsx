import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { counted } from '#contracts/counted.ts'
import { type KindRow, NewKind } from '#contracts/kind-edits.ts'
import { kindLimits } from '#contracts/kinds.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { Picture } from '#web/components/picture.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { kindsQuery, useAddKind, useMoveKind } from '#web/features/catalogue/admin-queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { moved } from './kind-draft.ts'
import { MoveButton } from './kind-values.tsx'

export const meta = titled('Categories')

function AddKind() {
  const [name, setName] = useState('')
  const add = useAddKind()
  const navigate = useNavigate()
  useSignedOutUnlessAdmin(add.error)
  const [missing, setMissing] = useState('')
  const refused = add.error instanceof ApiError ? add.error.fields?.name : undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    if (add.isPending) return
    const kind = NewKind.safeParse({ name })
    setMissing(kind.error?.issues[0]?.message ?? '')
    if (!kind.success) return
    add.mutate(kind.data, {
      onSuccess: (slug) => navigate(`/dashboard/kinds/${encodeURIComponent(slug)}`),
    })
  }
  return (
    <Form
      className="card mt-6 grid gap-x-4 px-5 pt-4 @xl:grid-cols-[minmax(0,1fr)_auto]"
      aria-label="Add a category"
      onSubmit={submit}
    >
      <Field
        label="New category"
        placeholder="Such as riser cable"
        autoComplete="off"
        required
        maxLength={kindLimits.name}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          setMissing('')
          if (add.isError) add.reset()
        }}
        error={missing || (refused ?? add.error?.message ?? '')}
      />
      <Button
        type="submit"
        className="mb-5 @xl:mt-7 @xl:self-start"
        loading={add.isPending}
        loadingText="Adding…"
      >
        Add category
      </Button>
    </Form>
  )
}

/** How complete the specifications of a kind's parts are. */
function statedText({ parts, fields, stated }: KindRow): string {
  if (fields.length === 0) return 'no fields yet'
  const of = counted(fields.length, 'field')
  return parts === 0
    ? of
    : `${of}, ${Math.floor((100 * stated) / (parts * fields.length))}% filled in`
}

type LineProps = { kind: KindRow; isFirst: boolean; isLast: boolean; onMove: (by: -1 | 1) => void }

function KindLine({ kind, isFirst, isLast, onMove }: LineProps) {
  return (
    <li className="flex break-inside-avoid items-center gap-4 border-line border-b py-3">
      <span className="w-16 shrink-0 thumb">
        <Picture src={kind.drawing} alt="" sizes="64px" />
      </span>
      <p className="min-w-0 grow wrap-anywhere">
        <Link
          to={`/dashboard/kinds/${encodeURIComponent(kind.slug)}`}
          className="link inline-block min-h-6 font-semibold"
        >
          {kind.name}
        </Link>
        <span className="block text-dim text-sm">
          {kind.parts === 0 ? 'no products' : counted(kind.parts, 'product')} · {statedText(kind)}
        </span>
      </p>
      <span className="flex shrink-0">
        {([-1, 1] as const).map((by) => (
          <MoveButton
            key={by}
            id={`kind-${kind.slug}`}
            name={kind.name}
            by={by}
            isEnd={by < 0 ? isFirst : isLast}
            onMove={onMove}
          />
        ))}
      </span>
    </li>
  )
}

/** The kinds in order. A move is shown at once and sent in the background. */
function useOrder(kinds: KindRow[]) {
  const move = useMoveKind()
  const [slugs, setSlugs] = useState<string[]>([])
  const [announcement, setAnnouncement] = useState('')
  useSignedOutUnlessAdmin(move.error)
  const shownSlugs = move.isError ? [] : slugs
  const places = new Map(shownSlugs.map((slug, at) => [slug, at]))
  const place = ({ slug }: KindRow) => places.get(slug) ?? places.size
  const ordered = kinds.toSorted((one, other) => place(one) - place(other))
  return {
    ordered,
    announcement,
    move(at: number, by: -1 | 1) {
      const [kind, other] = [ordered[at], ordered[at + by]]
      if (!kind || !other) return
      setSlugs(moved(ordered, at, by).map(({ slug }) => slug))
      setAnnouncement(`${kind.name} is now ${at + by + 1} of ${ordered.length}`)
      move.mutate({
        slug: kind.slug,
        to: by < 0 ? { before: other.slug } : { after: other.slug },
      })
    },
  }
}

function KindList({ kinds }: { kinds: KindRow[] }) {
  const { ordered, announcement, move } = useOrder(kinds)
  return (
    <>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      <ul className="mt-8 border-line border-t @2xl:columns-2 @2xl:gap-x-8">
        {ordered.map((kind, at) => (
          <KindLine
            key={kind.slug}
            kind={kind}
            isFirst={at === 0}
            isLast={at === ordered.length - 1}
            onMove={(by) => move(at, by)}
          />
        ))}
      </ul>
    </>
  )
}

function Kinds() {
  const { data, error, refetch, isFetching } = useQuery({ ...kindsQuery, staleTime: 0 })
  useSignedOutUnlessAdmin(error)
  if (!data) {
    if (!error) return <Skeleton className="mt-8 h-96" />
    return (
      <ErrorState message={error.message} retrying={isFetching} onRetry={() => void refetch()} />
    )
  }
  if (data.length === 0)
    return (
      <EmptyState title="No categories yet">
        Your first product creates your first category.
      </EmptyState>
    )
  return <KindList kinds={data} />
}

/** The kinds of parts, each with how complete its parts' specifications are. */
export default function KindsScreen() {
  return (
    <section aria-labelledby="kinds" className="@container min-h-svh">
      <h1 id="kinds" tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Categories
      </h1>
      <p className="mt-2 max-w-[68ch] text-pretty text-dim">
        Your product categories, and the specification fields each one has. Filters, cards,
        comparisons, search, files and the product form follow at once. Visitors see categories in
        this order.
      </p>
      <AddKind />
      <Kinds />
    </section>
  )
}
