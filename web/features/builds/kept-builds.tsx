/** The builds that a customer keeps by name, and for the owner those of the shop. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { type BasketLine, basketIn, basketText, buildPath } from '#contracts/basket.ts'
import type { Build } from '#contracts/builds.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { BuildFacts } from './start-builds.tsx'

const ownBuildsQuery = (email: string) =>
  queryOptions({
    queryKey: ['builds', email],
    queryFn: async () => (await api.me.builds.$get()).json(),
    staleTime: 0,
  })

type Keep = { name: string; parts: string; forAll: boolean }

function useChange<Input>(mutationFn: (input: Input) => Promise<void>, done?: string) {
  const client = useQueryClient()
  // the shop's builds come with the page
  const { revalidate } = useRevalidator()
  return useMutation({
    mutationFn,
    onSuccess: () => done && toast('success', done),
    onSettled: () => Promise.all([outdate(client, 'keepBuild'), revalidate()]),
  })
}

const useKeep = () =>
  useChange(async ({ forAll, ...json }: Keep) => {
    await (forAll ? api.builds.$post({ json }) : api.me.builds.$post({ json }))
  }, 'Build saved')

/** Keeps the build that is open by a name. */
function KeepForm({ lines, isOwner }: { lines: BasketLine[]; isOwner: boolean }) {
  const [name, setName] = useState('')
  const [forAll, setForAll] = useState(false)
  const keep = useKeep()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!name.trim()) return
    const build = { name: name.trim(), parts: basketText(lines), forAll }
    keep.mutate(build, { onSuccess: () => setName('') })
  }
  return (
    <Form onSubmit={submit} className="grid gap-2">
      <Field
        label="Save this build as"
        hint="Replaces any build with the same name."
        maxLength={60}
        required
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {isOwner && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={forAll}
            onChange={({ currentTarget }) => setForAll(currentTarget.checked)}
          />
          Offer it to everyone as a starting point
        </label>
      )}
      <FormProblem said={keep.error?.message} className="empty:pt-0" />
      <Button type="submit" variant="quiet" loading={keep.isPending} disabled={!name.trim()}>
        Save build
      </Button>
    </Form>
  )
}

type RowProps = { build: Build; open: BasketLine[]; onRemove: () => void; busy: boolean }

function BuildRow({ build, open, onRemove, busy }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 border-line border-t py-2">
      <div className="min-w-0">
        <Link
          to={buildPath(basketIn(build.parts))}
          // what it replaces can be brought back
          state={open.length > 0 ? { parts: basketText(open) } : undefined}
          rel="nofollow"
          className="link inline-flex min-h-11 items-center break-words"
        >
          {build.name}
        </Link>
        <BuildFacts build={build} />
      </div>
      <Button variant="quiet" loading={busy} aria-label={`Remove ${build.name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}

type KeptProps = { email: string; lines: BasketLine[]; shopBuilds: Build[]; isOwner: boolean }

export default function KeptBuilds({ email, lines, shopBuilds, isOwner }: KeptProps) {
  const id = useId()
  const { data: own = [] } = useQuery(ownBuildsQuery(email))
  const [removed, setRemoved] = useState<Keep>()
  const keep = useKeep()
  const remove = useChange(async ({ _id, forAll }: Build & { forAll: boolean }) => {
    const by = forAll ? api.builds : api.me.builds
    await by[':id'].$delete({ param: { id: _id } })
  })
  const rows = (builds: Build[], forAll: boolean) =>
    builds.map((build) => (
      <BuildRow
        key={build._id}
        build={build}
        open={lines}
        onRemove={() =>
          remove.mutate(
            { ...build, forAll },
            { onSuccess: () => setRemoved({ name: build.name, parts: build.parts, forAll }) },
          )
        }
        busy={remove.isPending && remove.variables._id === build._id}
      />
    ))
  return (
    <section id="kept" aria-labelledby={id} className="mt-8">
      <h2 id={id} className="mb-2 text-xl font-semibold">
        Your builds
      </h2>
      {lines.length > 0 && <KeepForm key={basketText(lines)} lines={lines} isOwner={isOwner} />}
      <div role="status">
        {removed && (
          <p className="flex flex-wrap items-center gap-x-2">
            Removed {removed.name}.
            <button
              type="button"
              className="link min-h-11 cursor-pointer"
              aria-busy={keep.isPending || undefined}
              onClick={() => keep.mutate(removed, { onSuccess: () => setRemoved(undefined) })}
            >
              Undo
            </button>
          </p>
        )}
      </div>
      <ul className="mt-3">{rows(own, false)}</ul>
      {isOwner && shopBuilds.length > 0 && (
        <>
          <h3 className="mt-6 mb-2 font-semibold">Offered to everyone</h3>
          <ul>{rows(shopBuilds, true)}</ul>
        </>
      )}
    </section>
  )
}
