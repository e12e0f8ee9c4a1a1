import { useEffect } from 'react'
import { ApiError } from './api-error.ts'
import { forgetSession, signOutThere } from './session.ts'
import { toast } from './toast.ts'

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

const isRefusal = (error: Error | null): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

/**
 * Signs out a user who has no place on the admin screens: one who is known to be no admin, or whose call was refused. A
 * session that only ended (401) leads back here after the login; without rights that would go in circles.
 * @param isAdmin what the lookup said, undefined while it is not known
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
