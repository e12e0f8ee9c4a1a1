import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { Spinner } from '#web/components/spinner.tsx'
import { overviewNavItem } from './nav-items.ts'
import { roleQuery } from './role-query.ts'
import { useReturnPath } from './use-return-path.ts'

type Props = { email: string; otherwise: string }

/** Leads an admin to the overview, where the work is, and others on; a role that can not be known keeps nobody waiting. */
function ByRole({ email, otherwise }: Props) {
  const { data: isAdmin, failureCount } = useQuery(roleQuery(email))
  if (isAdmin === undefined && failureCount === 0) return <Spinner label="Logging in" page />
  return <Navigate to={isAdmin ? overviewNavItem.to : otherwise} replace />
}

/** Leads who is logged in to where they came from; who came from nowhere by their role, customers to `otherwise`. */
export function RedirectBack(props: Props) {
  const from = useReturnPath()
  return from ? <Navigate to={from} replace /> : <ByRole {...props} />
}
