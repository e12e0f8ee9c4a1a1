import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ApiKey, keyScopes, lastKeyDay, NewKey } from '#contracts/api-keys.ts'
import { Button } from '#web/components/button.tsx'
import { ConfirmDialog, FormDialog } from '#web/components/dialogs.tsx'
import { Field } from '#web/components/field.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { shortMoment, utcDay } from '#web/lib/moments.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { Checks } from './checks.tsx'
import { keysQuery, useMakeKey, useRevokeKey } from './queries.ts'

type CreatedKey = { name: string; key: string }

function KeyDialog({
  onMade,
  onCancel,
}: {
  onMade: (key: CreatedKey) => void
  onCancel: () => void
}) {
  const make = useMakeKey()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(NewKey),
    mode: 'onTouched',
    defaultValues: { name: '', scopes: [], endsOn: lastKeyDay() },
  })
  const { errors } = formState
  const submit = handleSubmit((input) =>
    make.mutate(input, { onSuccess: ({ key }) => onMade({ name: input.name, key }) }),
  )
  return (
    <FormDialog
      title="Create an API key"
      about="One for each program, with only the access it needs."
      confirmText="Create key"
      busyText="making"
      busy={make.isPending}
      error={make.error?.message}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field
        label="Name"
        autoComplete="off"
        placeholder="Warehouse"
        required
        {...register('name')}
        error={errors.name?.message}
      />
      <Checks
        legend="It can"
        choices={keyScopes}
        {...register('scopes')}
        error={errors.scopes?.message}
      />
      <Field
        label="Last day"
        type="date"
        max={lastKeyDay()}
        required
        {...register('endsOn')}
        error={errors.endsOn?.message}
      />
    </FormDialog>
  )
}

function whenUsed({ createdAt, lastUsedAt, endsAt }: ApiKey): string {
  const used = lastUsedAt ? `last used ${shortMoment(lastUsedAt)}` : 'never used'
  // the last valid day is the one before the key's end
  const last = utcDay(new Date(Date.parse(endsAt) - 1).toISOString())
  const end = Date.parse(endsAt) < Date.now() ? `ended after ${last}` : `until ${last}`
  return `${used} · ${end} · created ${shortMoment(createdAt)}`
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, start, owner, scopes } = apiKey
  return (
    <li className="card flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4.5">
      <div className="grid min-w-0 gap-1">
        <h3 className="wrap-anywhere font-semibold">{name}</h3>
        <p className="wrap-anywhere">{scopes.map((scope) => keyScopes[scope]).join(', ')}</p>
        <p className="wrap-anywhere text-dim text-sm">
          <code>{start}…</code> for {owner}
        </p>
        <p className="figure text-dim text-xs">{whenUsed(apiKey)}</p>
      </div>
      <RowButton aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </RowButton>
    </li>
  )
}

/** The API keys of all admins, with their scopes. */
export function KeysSection() {
  const { data, error, refetch, isFetching } = useQuery(keysQuery)
  const leaving = useSignedOutUnlessAdmin(error)
  const revoke = useRevokeKey()
  const [isMaking, setMaking] = useState(false)
  const [createdKey, setCreatedKey] = useState<CreatedKey | null>(null)
  const [confirming, setConfirming] = useState<ApiKey | null>(null)
  return (
    <section aria-labelledby="keys" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="keys" className="font-display font-semibold text-xl tracking-tight">
          API keys
        </h2>
        <Button variant="quiet" onClick={() => setMaking(true)}>
          Create an API key
        </Button>
      </div>
      {createdKey && (
        <ShownOnce
          title={`Key for ${createdKey.name}`}
          secret={createdKey.key}
          onDone={() => setCreatedKey(null)}
        />
      )}
      {!data && error && !leaving && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!data && !error && <Skeleton className="mt-4 h-32" />}
      {data?.length === 0 && <p className="mt-3 text-dim">No API keys yet.</p>}
      <ul className="mt-4 grid gap-3">
        {data?.map((apiKey) => (
          <KeyRow key={apiKey._id} apiKey={apiKey} onRevoke={() => setConfirming(apiKey)} />
        ))}
      </ul>
      {isMaking && (
        <KeyDialog
          onCancel={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false)
            setCreatedKey(key)
          }}
        />
      )}
      <ConfirmDialog
        open={confirming !== null}
        title="Revoke this key?"
        confirmText="Revoke"
        busy={revoke.isPending}
        onCancel={() => setConfirming(null)}
        onConfirm={() =>
          confirming && revoke.mutate(confirming._id, { onSuccess: () => setConfirming(null) })
        }
      >
        Any program using it loses access at once.
      </ConfirmDialog>
    </section>
  )
}
