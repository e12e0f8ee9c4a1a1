import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { readAmount, typedAmount } from '#contracts/money.ts'
import { MethodFields, readSteps, type ShippingMethod, stepsText } from '#contracts/shipping.ts'
import { Button } from '#web/components/button.tsx'
import { ConfirmDialog } from '#web/components/dialogs.tsx'
import { Field, Select, TextArea } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { useCurrency } from '#web/lib/use-money.ts'
import type { Route } from './+types/method-screen'
import { methodsQuery, useDeleteMethod, useSaveMethod } from './queries.ts'

export const meta = titled('Shipping')

const settings = '/dashboard/settings'

/** The fields in the order of the form, and what is typed into them. */
const fieldNames = [
  ...(['type', 'name', 'price', 'freeFrom', 'steps', 'regions'] as const),
  ...(['daysFrom', 'daysTo'] as const),
]
type Typed = Record<(typeof fieldNames)[number], string>

const typedOf = (saved: ShippingMethod | undefined): Typed => ({
  name: saved?.name ?? '',
  type: saved?.type ?? 'ship',
  price: saved ? typedAmount(saved.price) : '',
  freeFrom: typeof saved?.freeFrom === 'number' ? typedAmount(saved.freeFrom) : '',
  steps: stepsText(saved?.steps ?? []),
  regions: saved?.regions.join('\n') ?? '',
  daysFrom: String(saved?.daysFrom ?? ''),
  daysTo: String(saved?.daysTo ?? ''),
})

const whole = (typed: string) => (typed.trim() === '' ? Number.NaN : Number(typed))

/** The method as the shop takes it. */
const read = ({ name, type, price, freeFrom, steps, regions, daysFrom, daysTo }: Typed) => ({
  name,
  type,
  price: readAmount(price),
  freeFrom: freeFrom.trim() === '' ? null : readAmount(freeFrom),
  steps: type === 'pick up' ? [] : readSteps(steps),
  regions:
    type === 'pick up'
      ? []
      : regions
          .split(/[\n,;]/)
          .map((region) => region.trim())
          .filter(Boolean),
  daysFrom: type === 'pick up' ? 0 : whole(daysFrom),
  daysTo: type === 'pick up' ? 0 : whole(daysTo),
})

type Problems = Partial<Record<keyof Typed, string>>

/** What is wrong with the typed fields: the first message about each. */
function problemsOf(typed: Typed): Problems {
  const { error } = MethodFields.safeParse(read(typed))
  const problems = (error?.issues ?? []).map(({ path, message }) => [String(path[0]), message])
  return Object.fromEntries(problems.reverse())
}

const types = { ship: 'Delivery to an address', 'pick up': 'Pick-up in the shop' }

/** @param saved undefined for a new one */
function useMethodForm(saved: ShippingMethod | undefined, owner: string) {
  const navigate = useNavigate()
  const form = useForm<Typed>({ defaultValues: typedOf(saved) })
  // a later version is another admin's, which this form has not shown
  const [base] = useState(saved)
  const clearDraft = useDraft(form, `shipping ${base?._id ?? ''} ${base?.version ?? 0}`, owner)
  const [save, remove] = [useSaveMethod(base), useDeleteMethod()]
  useSignedOutUnlessAdmin(save.error ?? remove.error)
  const [problems, setProblems] = useState<Problems>({})
  async function leave(said: string) {
    clearDraft()
    toast('success', said)
    await navigate(settings)
  }
  function show(found: Problems) {
    setProblems(found)
    const first = fieldNames.find((name) => found[name])
    if (first) form.setFocus(first)
  }
  const submit = form.handleSubmit(async (typed) => {
    show(problemsOf(typed))
    const fields = MethodFields.safeParse(read(typed))
    if (!fields.success) return
    try {
      await save.mutateAsync(fields.data)
    } catch (error) {
      if (error instanceof ApiError) show(error.fields ?? {})
      return
    }
    await leave(`Customers can choose “${typed.name}” now.`)
  })
  async function end() {
    if (!saved) return
    try {
      await remove.mutateAsync(saved._id)
    } catch {
      return
    }
    await leave(`“${saved.name}” is deleted.`)
  }
  const isAtField = save.error instanceof ApiError && save.error.fields !== undefined
  const errorOf = (name: keyof Typed) => problems[name] ?? ''
  const error = isAtField ? undefined : (save.error ?? remove.error)?.message
  return { form, submit, end, errorOf, error, isSaving: save.isPending, isEnding: remove.isPending }
}

function MethodForm({ saved, owner }: { saved: ShippingMethod | undefined; owner: string }) {
  const { form, submit, end, errorOf, error, isSaving, isEnding } = useMethodForm(saved, owner)
  const currency = useCurrency()
  const [isAsking, setAsking] = useState(false)
  const isSent = form.watch('type') === 'ship'
  const field = (name: keyof Typed) => ({
    autoComplete: 'off',
    error: errorOf(name),
    ...form.register(name),
  })
  return (
    <Form aria-label="Way of delivery" onSubmit={submit}>
      <div className="field pb-5">
        <Select
          label="What it is"
          value={form.watch('type')}
          choices={types}
          onChange={(type) => form.setValue('type', type, { shouldDirty: true })}
        />
      </div>
      <Field
        label="Name"
        hint={isSent ? 'As customers see it, like Parcel or Express' : 'Where, like “In our shop”'}
        {...field('name')}
      />
      <div className="grid gap-x-5 sm:grid-cols-2">
        <Field label={`Price in ${currency}`} inputMode="decimal" {...field('price')} />
        <Field
          label={`Free from ${currency} (optional)`}
          inputMode="decimal"
          {...field('freeFrom')}
        />
      </div>
      {isSent && (
        <>
          <TextArea
            label="Prices by weight (optional)"
            hint={`Up to so many grams in ${currency}, one per line, the lightest first: 1000 g 4.90. Heavier parcels cost the price above.`}
            rows={3}
            typed={form.watch('steps').length}
            limit={400}
            {...field('steps')}
          />
          <TextArea
            label="Delivers to"
            hint="Countries and regions, one per line, by name or code: Austria, US, US-WA"
            rows={3}
            typed={form.watch('regions').length}
            limit={6000}
            {...field('regions')}
          />
          <div className="grid gap-x-5 sm:grid-cols-2">
            <Field
              label="Fewest working days"
              hint="From dispatch to the door"
              inputMode="numeric"
              {...field('daysFrom')}
            />
            <Field
              label="Most working days"
              hint="What you promise"
              inputMode="numeric"
              {...field('daysTo')}
            />
          </div>
        </>
      )}
      <p role="alert" className="pb-4 text-danger empty:pb-0">
        {error}
      </p>
      <div className="flex flex-wrap items-center gap-3 border-line border-t pt-6">
        <Button type="submit" loading={isSaving} disabled={!form.formState.isDirty}>
          {saved ? 'Save' : 'Add it'}
        </Button>
        {saved && (
          <Button variant="quiet" waits={isSaving} onClick={() => setAsking(true)}>
            Delete it
          </Button>
        )}
      </div>
      {saved && (
        <ConfirmDialog
          open={isAsking}
          title={`Delete “${saved.name}”?`}
          busy={isEnding}
          onConfirm={() => void end()}
          onCancel={() => setAsking(false)}
        >
          Paid orders keep it, unpaid ones while their parts are held.
        </ConfirmDialog>
      )}
    </Form>
  )
}

/** Adds, changes and deletes a way of delivery. */
export default function MethodScreen({ params: { id } }: Route.ComponentProps) {
  const { user } = useSession()
  const { data, error, refetch, isFetching } = useQuery(methodsQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  const isNew = id === 'new'
  const saved = data?.find(({ _id }) => _id === id)
  return (
    <section aria-labelledby="method" className="min-h-svh max-w-2xl">
      <p>
        <Link to={settings} className="link inline-flex min-h-11 items-center">
          Settings
        </Link>
      </p>
      <h1 id="method" tabIndex={-1} className="mb-6 text-4xl font-bold tracking-tight">
        {saved?.name ?? 'A way of delivery'}
      </h1>
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="h-dvh" />}
      {data && !saved && !isNew && (
        <EmptyState title="Not found">This way of delivery was deleted.</EmptyState>
      )}
      {(saved ?? isNew) && data && user && (
        <MethodForm key={saved?._id ?? 'new'} saved={saved} owner={user.email} />
      )}
    </section>
  )
}
