import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { AdminPart } from '#contracts/parts.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { ApiError } from '#web/lib/api.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out-unless-admin.ts'
import { adminPartQuery, useRestorePart } from './admin-queries.ts'
import { EditPartForm } from './edit-part-form.tsx'
import { LedgerTable } from './ledger-table.tsx'
import { StockCorrectionForm } from './stock-correction.tsx'

const listAddress = '/dashboard/manageProducts'

function Deleted({ part }: { part: AdminPart }) {
  const restore = useRestorePart()
  return (
    <div className="card flex flex-wrap items-center justify-between gap-4 p-5 sm:p-8">
      <p>
        Deleted {part.deletedAt && shortMoment(part.deletedAt)}. Nobody can book it; its orders stay
        as they are.
      </p>
      <Button
        loading={restore.isPending}
        onClick={() =>
          restore.mutate(part, {
            onSuccess: () => toast('success', `${part.name} is on sale again`),
            onError: (problem) => toast('error', problem.message),
          })
        }
      >
        Restore
      </Button>
    </div>
  )
}

function Stock({ part }: { part: AdminPart }) {
  return (
    <section aria-labelledby="stock" className="mt-10">
      <h2 id="stock" className="mb-4 text-2xl font-semibold tracking-tight">
        Stock
      </h2>
      <div className="card stock-card">
        <dl className="stock-figures">
          <div>
            <dt>On hand</dt>
            <dd>{part.onHand}</dd>
          </div>
          <div>
            <dt>Held</dt>
            <dd>{part.reserved}</dd>
          </div>
          <div>
            <dt>Available</dt>
            <dd>{part.availableQuantity}</dd>
          </div>
        </dl>
        {!part.deletedAt && <StockCorrectionForm part={part} />}
      </div>
      <h3 className="mt-8 mb-3 text-xl font-semibold tracking-tight">Stock ledger</h3>
      <LedgerTable partId={part._id} />
    </section>
  )
}

type Props = {
  id: string
  /** E-mail of who works here. */
  owner: string
  /** What was done to the part, under its stock. */
  history: ReactNode
}

/** One part as its owner works on it: what it says, its stock, and what was done to it. */
export function EditPartScreen({ id, owner, history }: Props) {
  const { data: part, error, refetch } = useQuery(adminPartQuery(id))
  usePageTitle(part && `Change ${part.name}`)
  const leaving = useSignedOutUnlessAdmin(error)
  const isUnknown = error instanceof ApiError && ['NOT_FOUND', 'INVALID'].includes(error.code)
  if (isUnknown) {
    return (
      <EmptyState
        heading="h1"
        title={messages.notFound}
        action={<ButtonLink to={listAddress}>Manage all products</ButtonLink>}
      >
        There is no such product.
      </EmptyState>
    )
  }
  if (!part && error && !leaving) {
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  }
  if (!part) {
    return (
      <div aria-busy="true">
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="mt-8 h-[36rem] w-full rounded-card" />
      </div>
    )
  }
  return (
    <>
      <p className="label">
        <Link to={listAddress} className="inline-block min-h-6 hover:text-copper hover:underline">
          Manage all products
        </Link>
      </p>
      <h1 tabIndex={-1} className="mb-6 text-4xl font-bold tracking-tight break-words">
        {part.name}
      </h1>
      {part.deletedAt ? (
        <Deleted part={part} />
      ) : (
        <div className="card p-5 sm:p-8">
          <EditPartForm key={part._id} part={part} owner={owner} />
        </div>
      )}
      <Stock part={part} />
      {history}
    </>
  )
}
