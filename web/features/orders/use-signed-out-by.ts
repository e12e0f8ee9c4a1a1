import { useEffect } from 'react'
import { ApiError } from '#web/lib/api.ts'
import { endSession } from '#web/lib/session.ts'

/**
 * Signs out when the shop refuses to know the user, which sends them to /login and back here afterwards.
 * @param statuses the HTTP statuses that mean it
 * @returns whether that is happening
 */
export function useSignedOutBy(error: Error | null, statuses: number[] = [401]): boolean {
  const refused = error instanceof ApiError && statuses.includes(error.status)
  useEffect(() => {
    if (refused) void endSession()
  }, [refused])
  return refused
}
