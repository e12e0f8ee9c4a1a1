import { Navigate } from 'react-router'
import { useReturnPath } from './use-return-path.ts'

/** Leads who is logged in to where they came from, or to `otherwise`. */
export function GoOn({ otherwise }: { otherwise: string }) {
  return <Navigate to={useReturnPath() ?? otherwise} replace />
}
