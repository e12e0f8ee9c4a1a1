import { useLocation, useSearchParams } from 'react-router'
import { returnPath } from '#web/lib/return-path.ts'

/** Where people came from: kept in navigation state, or in the address when the way led over another site. */
export function useReturnPath(): string | null {
  const { state } = useLocation()
  const [search] = useSearchParams()
  return returnPath(state) ?? returnPath({ from: search.get('from') })
}
