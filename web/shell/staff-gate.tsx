import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { Role } from '#contracts/users.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { adminNavItems, currentIn } from '#web/features/users/nav-items.ts'
import { roleQuery } from '#web/features/users/queries.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'

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
        Checking your access
      </p>
      <Skeleton className="mt-6 h-40" />
      <Skeleton className="mt-6 h-96" />
    </div>
  )
}

type Props = { roles: Role[]; children: ReactNode }

/** Pages for some roles: other users are signed out and sent to /login. */
export function StaffGate(props: Props) {
  const { user } = useSession()
  return user && <Gate email={user.email} {...props} />
}

/**
 * Admits only these roles; others are signed out. Rights may end at any time, so they are checked at
 * every entry and when the tab gets the focus. A failed lookup shows an error and signs nobody out.
 */
function Gate({ email, roles, children }: Props & { email: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...roleQuery(email),
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
  // the cached role may be old: a customer who became an admin a minute ago may enter
  const leaving = useSignedOutUnlessAdmin(
    error,
    isFetching || !data ? undefined : roles.includes(data),
  )
  if (data && roles.includes(data) && !leaving) return children
  if (error && !leaving && !isFetching) {
    return (
      <ErrorState
        message={`Your access couldn’t be checked. ${error.message}`}
        onRetry={() => refetch()}
      />
    )
  }
  return <Checking />
}
