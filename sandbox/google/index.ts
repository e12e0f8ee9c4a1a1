import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { comesFromThisMachine, refusalText } from '#sandbox/this-machine.ts'
import { tokenAnswer } from '#sandbox/token.ts'
import type { GoogleSandboxOptions } from './provider.ts'

/**
 * Simulates Google: an OpenID Connect provider (authorization code, PKCE, RS256) whose account
 * chooser accepts any name and e-mail. Because of that, it only serves this machine, and only
 * browsers with the token can choose an account. It keeps its state in memory: a restart ends the
 * sign-ins in progress, with a page that says so.
 * @returns a listener that serves paths below `basePath` and passes everything else to `next`
 */
export function googleSandbox(options: GoogleSandboxOptions) {
  const { basePath, token } = options
  const style = `${basePath}/chooser.css`
  let opened: Promise<RequestListener> | undefined
  // loaded at first use, so that a shop that never needs it does not pay for it
  const open = () => {
    opened ??= import('./provider.ts')
      .then(({ openProvider }) => openProvider(options))
      .catch((error) => {
        opened = undefined
        throw error
      })
    return opened
  }
  return (next: RequestListener): RequestListener =>
    (request, response) => {
      const { url = '' } = request
      const [path = ''] = url.split('?')
      if (path !== basePath && !url.startsWith(`${basePath}/`)) return next(request, response)
      if (!comesFromThisMachine(request)) return say(response, 403, refusalText)
      // the shop's own calls use other paths
      if (path === basePath || path.startsWith(`${basePath}/account/`)) {
        const { cookie: cookies } = request.headers
        const answer = tokenAnswer(token, { url, cookies, style })
        if (answer) {
          response.writeHead(answer.status, answer.headers).end(answer.body)
          return
        }
      }
      // the provider derives its own URLs from the part that was cut off
      const inside: IncomingMessage & { originalUrl?: string } = request
      inside.originalUrl = url
      inside.url = url.slice(basePath.length).replace(/^(?!\/)/, '/')
      open().then(
        (listener) => listener(inside, response),
        (error) => {
          options.log?.(`the sandbox for Google could not open: ${error}`)
          say(response, 500, 'The sandbox could not open.')
        },
      )
    }
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(text)
}
