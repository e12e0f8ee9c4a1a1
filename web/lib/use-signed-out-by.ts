import { useEffect } from 'react'
import { ApiError } from '#web/lib/api.ts'
import { forgetSession, signOutThere } from '#web/lib/session.ts'

/**
 * Signs out when the shop refuses to know the user. Not by their choice, so /login leads back here afterwards.
 * @param statuses the HTTP statuses that mean it
 * @returns whether that is happening
 */
export function useSignedOutBy(error: Error | null, statuses: number[] = [401]): boolean {
  const refused = error instanceof ApiError && statuses.includes(error.status)
  useEffect(() => {
    if (!refused) return
    forgetSession()
    void signOutThere()
  }, [refused])
  return refused
}
