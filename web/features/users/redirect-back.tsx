import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { localPath } from '#contracts/local-path.ts'
import { Spinner } from '#web/components/states.tsx'
import { roleQuery } from './queries.ts'

/** The start page of admins. */
export const overviewPath = '/dashboard/overview'

/**
 * The page to return to after login: from the navigation state, or from the URL after a redirect
 * through another site.
 */
export function useReturnPath(): string | null {
  const { state } = useLocation()
  const [search] = useSearchParams()
  return localPath((state as { from?: unknown } | null)?.from) ?? localPath(search.get('from'))
}

type Props = { email: string; otherwise: string }

/**
 * Sends an admin to the overview and others to `otherwise`. If the role cannot be fetched, users do
 * not have to wait.
 */
function ByRole({ email, otherwise }: Props) {
  const { data: isAdmin, failureCount } = useQuery(roleQuery(email))
  if (isAdmin === undefined && failureCount === 0) return <Spinner label="Logging in" page />
  return <Navigate to={isAdmin ? overviewPath : otherwise} replace />
}

/** Sends a logged-in user back to the previous page or, without one, to a page chosen by role. */
export function RedirectBack(props: Props) {
  const from = useReturnPath()
  return from ? <Navigate to={from} replace /> : <ByRole {...props} />
}
