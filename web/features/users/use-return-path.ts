import { useLocation, useSearchParams } from 'react-router'
import { localPath } from '#contracts/local-path.ts'

/** The page to go back to after login: in the navigation state, or in the address after a detour over another site. */
export function useReturnPath(): string | null {
  const { state } = useLocation()
  const [search] = useSearchParams()
  return localPath((state as { from?: unknown } | null)?.from) ?? localPath(search.get('from'))
}
