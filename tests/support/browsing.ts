/** A minimal headless browser: it keeps cookies by path, and follows redirects one at a time. */
import { sandboxCookie } from './sandbox-token.ts'

type Cookie = { name: string; value: string; path: string; origin: string }

export type Visit = { url: URL; status: number; text: string; headers: Headers }

export type Browsing = ReturnType<typeof browsing>

function readCookie(line: string, url: URL): Cookie & { gone: boolean } {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const attribute = (key: string) =>
    attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
  const age = attribute('max-age')
  const expires = attribute('expires')
  const gone = age !== undefined ? Number(age) <= 0 : !!expires && Date.parse(expires) <= Date.now()
  return { name, value, path: attribute('path') ?? '/', origin: url.origin, gone }
}

export function browsing() {
  let cookies: Cookie[] = []
  const cookieHeader = (url: URL) =>
    cookies
      .filter(({ origin, path }) => origin === url.origin && url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .concat(sandboxCookie(url) || [])
      .join('; ')

  /** One request, without following its redirect. */
  async function visit(
    to: string | URL,
    options: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Visit> {
    const url = new URL(to)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookieHeader(url), accept: 'text/html', ...options.headers },
      ...(options.form && { method: 'POST', body: new URLSearchParams(options.form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const { gone, ...cookie } = readCookie(line, url)
      cookies = cookies.filter(
        ({ name, path, origin }) =>
          name !== cookie.name || path !== cookie.path || origin !== cookie.origin,
      )
      if (!gone) cookies.push(cookie)
    }
    const { status, headers } = response
    return { url, status, headers, text: await response.text() }
  }

  /** Follows redirects until a page is shown, or until `stop` accepts the next URL. */
  async function follow(first: Visit, stop: (next: URL) => boolean = () => false): Promise<Visit> {
    let at = first
    for (let hops = 0; hops < 12; hops += 1) {
      const location = at.headers.get('location')
      if (!location) return at
      const next = new URL(location, at.url)
      if (stop(next)) return { ...at, url: next }
      at = await visit(next)
    }
    throw new Error(`too many redirects, last ${at.url}`)
  }

  return { visit, follow, cookie: (origin: string) => cookieHeader(new URL(origin)) }
}
