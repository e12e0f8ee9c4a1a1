import { Navigate, useLocation } from 'react-router'
import { returnPath } from '#web/lib/return-path.ts'

/** Leads who is logged in to where they came from, or to `otherwise`. */
export function GoOn({ otherwise }: { otherwise: string }) {
  const { state } = useLocation()
  return <Navigate to={returnPath(state) ?? otherwise} replace />
}
