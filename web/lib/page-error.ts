import { data } from 'react-router'
import { errorFrom } from './api-error.ts'

/** What a loader throws for an answer without which there is no page: the error page shows its message and request id. */
export async function pageError(answer: Response) {
  const { message, requestId } = await errorFrom(answer)
  return data({ message, requestId }, { status: answer.status })
}
