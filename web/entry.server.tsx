import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import styles from '#web/app.css?inline'
import { lateScripts } from '#web/lib/loading/late-scripts.ts'
import { shopContext } from '#web/lib/shop-context.ts'

export { bootScript } from '#web/lib/loading/boot-script.ts'
export { shopContext, styles }

/**
 * Renders a page in full. Pages are the same for all visitors and cached by the server, so nothing
 * is streamed.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  handed: RouterContextProvider,
): Promise<Response> {
  const { nonce } = handed.get(shopContext)
  let failed = false
  const stream = await renderToReadableStream(
    <ServerRouter context={context} url={request.url} nonce={nonce} />,
    {
      nonce,
      signal: request.signal,
      // inline, however large: no script has to move content into place
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        failed = true
        console.error(error)
      },
    },
  )
  await stream.allReady
  const html = await new Response(stream).text()
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(import.meta.env.PROD ? lateScripts(html) : html, {
    status: failed ? 500 : status,
    headers,
  })
}
