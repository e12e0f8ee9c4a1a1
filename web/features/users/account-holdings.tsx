import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { messages } from '#contracts/messages.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmailText } from '#web/components/email-text.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { CustomerDesk } from '#web/features/desk/customer-desk.tsx'
import { ApiError } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { Holdings, ReleaseDialog } from './holdings.tsx'
import { accountQuery, holdingsQuery } from './holdings-queries.ts'

const list = '/dashboard/users'

/** A customer's page, with their holds, offers and places, and the button that ends all of them. */
export default function AccountHoldings({ id }: { id: string }) {
  const { data: account, error, refetch } = useQuery(accountQuery(id))
  const { data: holdings } = useQuery(holdingsQuery({ user: id }))
  const [isAsking, setIsAsking] = useState(false)
  usePageTitle(account?.email)
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
        </div>
        {holdings && holdings.length > 0 && (
          <Button variant="danger" onClick={() => setIsAsking(true)}>
            Release everything
          </Button>
        )}
      </div>
      <CustomerDesk id={id} />
      <h2 className="mt-8 mb-1 font-semibold text-2xl tracking-tight">Holds</h2>
      <p className="mb-3 text-dim">What {name} is holding, has been offered and is waiting for.</p>
      <Holdings of={{ user: id }} empty="This account isn’t holding or waiting for anything." />
      <ReleaseDialog account={isAsking ? { id, email } : null} onClose={() => setIsAsking(false)} />
    </>
  )
}
