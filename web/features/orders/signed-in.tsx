import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { Spinner } from '#web/components/spinner.tsx'
import { useSession } from '#web/lib/session.ts'

export type SignedInUser = { name: string; email: string }

/** Shows its screen to users only; visitors go to /login and come back here afterwards. */
export function SignedIn({ children }: { children: (user: SignedInUser) => ReactNode }) {
  const { status, user } = useSession()
  const { pathname, search } = useLocation()
  if (status === 'visitor') {
    return <Navigate to="/login" replace state={{ from: `${pathname}${search}` }} />
  }
  if (!user) {
    return (
      <div className="grid min-h-[60vh] place-items-center">
        <Spinner />
      </div>
    )
  }
  return children(user)
}
