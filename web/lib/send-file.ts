import { liveToken, renewToken } from '#web/lib/session/exchange.ts'
import { errorFrom, offline } from './api-error.ts'

type SendFile = {
  path: string
  file: Blob
  /** @param share the fraction of bytes sent, 0 to 1 */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** One request with XMLHttpRequest: fetch cannot report how much of a body has been sent. */
function sendOnce({ path, file, onProgress, signal }: SendFile, token: string | null) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/octet-stream')
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onload = () =>
      resolve(new Response(request.responseText || null, { status: request.status }))
    request.onerror = () => reject(offline())
    request.onabort = () => reject(signal.reason)
    signal.throwIfAborted()
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/**
 * Sends one file, as the logged-in user.
 * @returns the JSON of the response
 * @throws ApiError for refusals and without a network; the signal's reason when aborted
 */
export async function sendFile(input: SendFile): Promise<unknown> {
  let answer = await sendOnce(input, await liveToken())
  if (answer.status === 401 && (await renewToken())) {
    answer = await sendOnce(input, await liveToken())
  }
  if (!answer.ok) throw await errorFrom(answer)
  return answer.json()
}
