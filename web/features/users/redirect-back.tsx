import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { localPath } from '#contracts/local-path.ts'
import { Spinner } from '#web/components/states.tsx'
import { roleQuery } from './queries.ts'

/** The start page of admins. */
export const overviewPath = '/dashboard/overview'
/** The start page of packers. */
export const toShipPath = '/dashboard/toShip'

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
 * Sends an admin to the overview, a packer to what is to be shipped, and others to `otherwise`. If the role cannot be fetched, users do
 * not have to wait.
 */
function ByRole({ email, otherwise }: Props) {
  const { data: role, failureCount } = useQuery(roleQuery(email))
  if (role === undefined && failureCount === 0) return <Spinner label="Logging in" page />
  const start = { admin: overviewPath, packer: toShipPath, customer: otherwise }
  return <Navigate to={start[role ?? 'customer']} replace />
}

/** Sends a logged-in user back to the previous page or, without one, to a page chosen by role. */
export function RedirectBack(props: Props) {
  const from = useReturnPath()
  return from ? <Navigate to={from} replace /> : <ByRole {...props} />
}
