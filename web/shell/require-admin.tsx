import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { adminNavItems, currentIn } from '#web/features/users/nav-items.ts'
import { roleQuery } from '#web/features/users/queries.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'

/** Pages that need admin rights: other users are signed out and sent to /login. */
export default function RequireAdmin() {
  const { user } = useSession()
  return (
    user && (
      <AdminGate email={user.email}>
        <Outlet />
      </AdminGate>
    )
  )
}

/** Shows the page's heading at once, above a skeleton, while the rights are checked. */
function Checking() {
  const { pathname } = useLocation()
  const item = adminNavItems.find((one) => currentIn(pathname, one) === 'page')
  return (
    <div aria-busy="true">
      {item ? (
        <h1 className="text-4xl font-bold tracking-tight">{item.name}</h1>
      ) : (
        <Skeleton className="h-10 w-64" />
      )}
      <p role="status" className="sr-only">
        Checking your rights
      </p>
      <Skeleton className="mt-6 h-40" />
      <Skeleton className="mt-6 h-96" />
    </div>
  )
}

type Props = { email: string; children: ReactNode }

/**
 * Admits only admins; others are signed out. Rights may end at any time, so they are checked at
 * every entry and when the tab gets the focus. A failed lookup shows an error and signs nobody out.
 */
function AdminGate({ email, children }: Props) {
  const { data, error, isFetching, refetch } = useQuery({
    ...roleQuery(email),
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
  // the cached role may be old: a customer who became an admin a minute ago may enter
  const leaving = useSignedOutUnlessAdmin(error, isFetching ? undefined : data)
  if (data && !leaving) return children
  if (error && !leaving && !isFetching) {
    return (
      <ErrorState
        message={`Your rights could not be checked. ${error.message}`}
        onRetry={() => refetch()}
      />
    )
  }
  return <Checking />
}
