import { data } from 'react-router'
import { errorFrom } from './api-error.ts'

/**
 * The error for a loader to throw if a page cannot exist without the response: the error page shows
 * its message and request id.
 */
export async function pageError(answer: Response) {
  const { message, requestId } = await errorFrom(answer)
  return data({ message, requestId }, { status: answer.status })
}
