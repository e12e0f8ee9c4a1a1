import { answerSeconds } from '#contracts/webhooks.ts'
import {
  askAnywhere,
  askPublic,
  assertNotPrivate,
  type Internet,
  never,
  openInternet,
  within,
} from '#server/adapters/internet.ts'
import type { Webhooks } from './port.ts'

/**
 * Posts to servers on the public internet, by https.
 * @param isLocal when only this machine can reach the shop, programs on it may receive messages,
 * too, by http
 * @param net replaces the internet @param seconds the time limit for a response
 */
export function webhooksBy(
  { isLocal }: { isLocal: boolean },
  net: Internet = openInternet,
  seconds = answerSeconds,
): Webhooks {
  function read(text: string): URL {
    const url = new URL(text)
    if (url.username || url.password)
      throw never('The address must not hold a user name or a password.')
    if (isLocal) return url
    if (url.protocol !== 'https:') throw never('The address must begin with https://.')
    assertNotPrivate(url)
    return url
  }
  return {
    assertAllowed: (url) => void read(url),
    post: async ({ url: text, headers, body }) => {
      const url = read(text)
      return within({ seconds, hostname: url.host, late: 'answer' }, async (signal) => {
        const options = { method: 'POST', headers, body, signal }
        const response = isLocal
          ? await askAnywhere(url, options)
          : await askPublic(url, options, net)
        response.destroy()
        return response.statusCode ?? 0
      })
    },
  }
}
