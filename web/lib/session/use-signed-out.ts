import { useEffect } from 'react'
import { ApiError } from '#web/lib/api-error.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { forgetSession, signOutThere } from './session.ts'

/**
 * Signs the user out when the shop refuses their session. The user did not choose this, so /login
 * returns here afterwards.
 * @param statuses the HTTP statuses of such a refusal
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

const isRefusal = (error: Error | null): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

/**
 * Signs out users without access to the admin screens: those known not to be admins, and those
 * whose call was refused. After an expired session (401) the login returns here; without rights
 * that would loop.
 * @param isAdmin the result of the role lookup, undefined until it is known
 * @returns whether that is happening
 */
export function useSignedOutUnlessAdmin(error: Error | null, isAdmin?: boolean): boolean {
  const isExpired = isRefusal(error) && error.status === 401
  const refused = isAdmin === false || isRefusal(error)
  useEffect(() => {
    if (!refused) return
    forgetSession({ comeBack: isExpired })
    if (!isExpired) void toast('error', 'Only admins may open that page. Log in as an admin.')
    void signOutThere()
  }, [refused, isExpired])
  return refused
}
