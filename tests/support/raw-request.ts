import { request } from 'node:http'

/** A GET with headers that fetch would not let through, such as Host. */
export function rawGet(
  address: string,
  headers: Record<string, string>,
): Promise<{ status: number; location: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(address, { headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
      )
    })
    asked.on('error', reject).end()
  })
}
