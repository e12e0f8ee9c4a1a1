/**
 * Other ways to request a route: variants of its path, its method given elsewhere, its token put
 * elsewhere.
 */
import { request } from 'node:http'

type PathVariant = { name: string; method: string; path: string; headers?: Record<string, string> }

/** @param adminToken a valid token, which must be ignored where tokens do not belong */
export function pathVariants(method: string, path: string, adminToken: string): PathVariant[] {
  const [before = '', query = ''] = path.split('?')
  const tail = query && `?${query}`
  const and = query ? '&' : '?'
  const way = (name: string, odd: string) => ({ name, method, path: odd })
  return [
    way('slash at the end', `${before}/${tail}`),
    way('two slashes at the end', `${before}//${tail}`),
    way('two slashes at the start', `/${path}`),
    way('two slashes within', path.replace('/api/', '/api//')),
    way('capitals', path.toUpperCase()),
    way('a capital', path.replace('/api/', '/Api/')),
    way('an encoded slash', path.replace('/api/', '/api%2F')),
    way('a slash encoded twice', path.replace('/api/', '/api%252F')),
    way('a backslash', path.replace('/api/', '/api\\')),
    way('a dot', path.replace('/api/', '/api/./')),
    way('out and in again', path.replace('/api/', '/api/part/../')),
    way('encoded dots', path.replace('/api/', '/api/part/%2e%2e/')),
    way('an encoded letter', path.replace('/api/', '/ap%69/')),
    way('a matrix parameter', `${before};a=b${tail}`),
    way('NUL at the end', `${before}%00${tail}`),
    way('an ending', `${before}.json${tail}`),
    way('the whole address', `http://127.0.0.1${path}`),
    ...(method === 'GET' ? [{ name: 'HEAD', method: 'HEAD', path }] : []),
    { name: 'OPTIONS', method: 'OPTIONS', path },
    { name: 'TRACE', method: 'TRACE', path },
    ...['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) => ({
      name,
      method: 'POST',
      path,
      headers: { [name]: method },
    })),
    { name: '_method', method: 'POST', path: `${path}${and}_method=${method}` },
    way('a token in the address', `${path}${and}access_token=${adminToken}&token=${adminToken}`),
    {
      name: 'a token in a cookie',
      method,
      path,
      headers: { cookie: `accessToken=${adminToken}; token=${adminToken}` },
    },
    { name: 'another scheme', method, path, headers: { authorization: `Token ${adminToken}` } },
    {
      name: 'who I say I am',
      method,
      path,
      headers: {
        'x-forwarded-user': 'admin',
        'x-original-url': '/api/part',
        'x-user-role': 'admin',
      },
    },
  ]
}

/** Sends the path byte for byte; fetch would normalise it. */
export function askVariant(
  origin: string,
  { method, path, headers = {} }: PathVariant,
  { token, body }: { token: string | undefined; body: object | undefined },
): Promise<{ status: number; text: string; allows: string | undefined }> {
  const { hostname, port } = new URL(origin)
  const payload = body && method !== 'HEAD' && method !== 'TRACE' ? JSON.stringify(body) : undefined
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      {
        hostname,
        port,
        method,
        path,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            allows: response.headers['access-control-allow-origin'],
          }),
        )
      },
    )
    clientRequest.on('error', reject).end(payload)
  })
}

/** A GET with headers that fetch forbids, such as Host. */
export function rawGet(
  address: string,
  headers: Record<string, string>,
): Promise<{ status: number; location: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(address, { headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
      )
    })
    clientRequest.on('error', reject).end()
  })
}
