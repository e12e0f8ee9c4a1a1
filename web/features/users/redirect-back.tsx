import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { localPath } from '#contracts/local-path.ts'
import { Spinner } from '#web/components/states.tsx'
import { roleQuery } from './queries.ts'

/** Where admins begin. */
export const overviewPath = '/dashboard/overview'

/** The page to go back to after login: in the navigation state, or in the address after a detour over another site. */
export function useReturnPath(): string | null {
  const { state } = useLocation()
  const [search] = useSearchParams()
  return localPath((state as { from?: unknown } | null)?.from) ?? localPath(search.get('from'))
}

type Props = { email: string; otherwise: string }

/** Sends an admin to the overview and others to `otherwise`. A role that cannot be fetched keeps no user waiting. */
function ByRole({ email, otherwise }: Props) {
  const { data: isAdmin, failureCount } = useQuery(roleQuery(email))
  if (isAdmin === undefined && failureCount === 0) return <Spinner label="Logging in" page />
  return <Navigate to={isAdmin ? overviewPath : otherwise} replace />
}

/** Sends a logged-in user back to the page they came from; without one, by role. */
export function RedirectBack(props: Props) {
  const from = useReturnPath()
  return from ? <Navigate to={from} replace /> : <ByRole {...props} />
}
