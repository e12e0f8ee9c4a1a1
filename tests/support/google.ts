/** Sign-in with Google as a browser does it, against the sandbox, over HTTP only. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { googleSandbox } from '#sandbox/google/index.ts'
import { type Browsing, browsing, type Visit } from './browsing.ts'
import { rememberToken } from './sandbox-token.ts'

type GooglePerson = { name: string; email: string; verified?: boolean }

export const eventId = 'event-0123456789abcdef'
export const popupPath = `/identity/popup/google?event=${eventId}`

/**
 * Goes from the shop to the account chooser.
 * @param tamper changes the provider's URL on the way
 */
export async function toChooser(
  browser: Browsing,
  start: string,
  tamper: (address: URL) => void = () => {},
): Promise<Visit> {
  const { headers, url } = await browser.visit(start)
  const address = new URL(headers.get('location') ?? '', url)
  tamper(address)
  return browser.follow(await browser.visit(address))
}

/** Types an account into the chooser, and returns to the shop. */
export async function chooseTyped(
  browser: Browsing,
  chooser: Visit,
  { name, email, verified = true }: GooglePerson,
): Promise<Visit> {
  const form = { name, email, ...(verified && { verified: 'on' }) }
  return browser.follow(await browser.visit(chooser.url, { form }), isPage)
}

/** Pages of the shop are not followed: a test shop has none. */
export const isPage = (next: URL) => next.pathname === '/login'

/** The message of the popup's last page to the page that opened it. */
export function messageOf({ text }: Visit) {
  const [, event, error] = /<body data-event="([^"]*)" data-error="([^"]*)">/.exec(text) ?? []
  if (event === undefined) throw new Error(`not the last page of the popup: ${text}`)
  return { eventId: event || null, error: error || null }
}

/** The whole popup, from its opening to its message. */
export async function signInWithGoogle(
  origin: string,
  person: GooglePerson,
  browser: Browsing = browsing(),
) {
  const lastPage = await chooseTyped(
    browser,
    await toChooser(browser, `${origin}${popupPath}`),
    person,
  )
  return { browser, lastPage, ...messageOf(lastPage), cookie: browser.cookie(origin) }
}

/** The Google sandbox alone, on a separate port: the shop treats it like Google. */

const basePath = '/sandbox/google'

export async function openGoogleSandbox() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = {
    issuer: `${origin}${basePath}`,
    basePath,
    clientId: 'ferrite-test',
    clientSecret: 'a secret of the test',
    /** Can be set until the first request. */
    redirectUri: `${origin}/back`,
    cookieSecret: 'signs cookies',
    token: 'token-of-a-test',
  }
  rememberToken(origin, options.token)
  const start = () => googleSandbox(options)((_, response) => response.writeHead(204).end())
  let listener = start()
  server.on('request', (request, response) => listener(request, response))
  return {
    origin,
    options,
    /** Restarts without an account. */
    restart() {
      listener = start()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
