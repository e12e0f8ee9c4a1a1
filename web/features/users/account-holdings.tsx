import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { messages } from '#contracts/messages.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { Holdings, ReleaseDialog } from './holdings.tsx'
import { accountQuery, holdingsQuery } from './holdings-queries.ts'

const list = '/dashboard/users'

/** The holds, offers and places of one account, and the button that ends all of them. */
export default function AccountHoldings({ id }: { id: string }) {
  const { data: account, error, refetch } = useQuery(accountQuery(id))
  const { data: holdings } = useQuery(holdingsQuery({ user: id }))
  const [isAsking, setIsAsking] = useState(false)
  usePageTitle(account ? `What ${account.email} holds` : undefined)
  const leaving = useSignedOutUnlessAdmin(error)
  const isInvalid = error instanceof ApiError && error.code === 'INVALID'
  if (account === null || isInvalid) {
    return (
      <EmptyState
        heading="h1"
        title={messages.notFound}
        action={<ButtonLink to={list}>Manage all users</ButtonLink>}
      >
        There is no such account.
      </EmptyState>
    )
  }
  if (!account) {
    return error && !leaving ? (
      <ErrorState message={error.message} onRetry={() => refetch()} />
    ) : (
      <Skeleton className="h-40" />
    )
  }
  const { email, name } = account
  return (
    <>
      <p className="label">
        <Link to={list} className="inline-block min-h-6 hover:text-copper hover:underline">
          Manage all users
        </Link>
      </p>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <h1 tabIndex={-1} className="wrap-anywhere font-bold text-3xl tracking-tight">
            <EmailText email={email} />
          </h1>
          <p className="text-dim">What {name} holds, is offered and waits for.</p>
        </div>
        {holdings && holdings.length > 0 && (
          <Button variant="danger" onClick={() => setIsAsking(true)}>
            Release everything
          </Button>
        )}
      </div>
      <Holdings of={{ user: id }} empty="This account holds nothing and waits for nothing." />
      <ReleaseDialog account={isAsking ? { id, email } : null} onClose={() => setIsAsking(false)} />
    </>
  )
}
