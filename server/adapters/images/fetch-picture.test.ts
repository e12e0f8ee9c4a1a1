import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pictureLimits } from '#contracts/pictures.ts'
import { type Internet, isPublic } from '#server/adapters/internet.ts'
import { pictureFetcher } from './fetch-picture.ts'

const picture = Buffer.from('89504e470d0a1a0a0000', 'hex')
const names: Record<string, string[]> = {
  'cdn.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'inner.example': ['10.0.0.7'],
  // a single private address is enough for a refusal
  'both.example': ['93.184.216.34', '169.254.169.254'],
  'six.example': ['fd00:ec2::254'],
}

let server: Server
/** The server's responses, by path. */
let paths: Record<string, RequestListener> = {}
/** The addresses that were connected to. */
let reached: string[] = []

const net: Internet = {
  async resolve(name) {
    const found = names[name]
    if (!found) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    return found
  },
  place(address) {
    reached.push(address)
    return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  },
}
const fetchPicture = pictureFetcher(net)

const redirect =
  (location: string): RequestListener =>
  (_, answer) =>
    void answer.writeHead(302, { location }).end()

beforeAll(async () => {
  server = createServer((request, answer) => {
    const listener = paths[request.url ?? '']
    if (listener) listener(request, answer)
    else answer.writeHead(404).end()
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('a picture comes from the address that was checked, under the name that was asked for', async () => {
  let host = ''
  paths = {
    '/a.png?size=2': (request, answer) => {
      host = request.headers.host ?? ''
      answer.end(picture)
    },
  }
  reached = []
  expect(await fetchPicture('http://cdn.example/a.png?size=2')).toEqual(picture)
  expect({ reached, host }).toEqual({ reached: ['93.184.216.34'], host: 'cdn.example' })
})

test.each([
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '１２７.0.0.1'],
  ...['0.0.0.0', '10.1.2.3', '100.100.100.200', '169.254.169.254', '172.31.0.1', '192.168.1.1'],
  ...['192.0.0.192', '168.63.129.16', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...[
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[::7f00:1]',
  ],
  ...['[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2002:7f00:1::]', '[2001::1]'],
  ...['[2001:db8::1]', '[64:ff9b:1::1]', '[fec0::1]', '[5f00::1]'],
  ...['inner.example', 'both.example', 'six.example'],
])('nothing is asked of %s', async (host) => {
  reached = []
  await expect(fetchPicture(`http://${host}/`)).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('is in a private network'),
  })
  expect(reached).toEqual([])
})

test('the open internet is open', () => {
  const open = ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1']
  expect(open.filter((address) => !isPublic(address))).toEqual([])
})

test.each([
  ['ftp://cdn.example/a.png', 'begins with http:// or https://'],
  ['file:///etc/passwd', 'begins with http:// or https://'],
  ['data:image/png;base64,iVBORw0KGgo=', 'begins with http:// or https://'],
  ['a.png', 'begins with http:// or https://'],
  ['http://me:secret@cdn.example/a.png', 'user name or a password'],
  ['http://cdn.example:6379/', 'Port 6379'],
  ['http://nowhere.example/', 'There is no server of the name nowhere.example'],
])('%s is refused for good', async (address, message) => {
  reached = []
  await expect(fetchPicture(address)).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining(message),
  })
  expect(reached).toEqual([])
})

test('a redirect is checked like the first address, and there are at most three', async () => {
  paths = {
    '/there': redirect('/picture'),
    '/picture': (_, answer) => void answer.end(picture),
    '/metadata': redirect('http://169.254.169.254/latest/meta-data/'),
    '/inner': redirect('//inner.example/'),
    '/file': redirect('file:///etc/passwd'),
    '/round': redirect('/round'),
  }
  expect(await fetchPicture('http://cdn.example/there')).toEqual(picture)
  const refused = (path: string) =>
    fetchPicture(`http://cdn.example${path}`).catch(({ message }) => message)
  reached = []
  expect(await refused('/metadata')).toContain('private network')
  expect(await refused('/inner')).toContain('private network')
  expect(await refused('/file')).toContain('begins with http')
  expect(reached).toHaveLength(3)
  expect(await refused('/round')).toContain('more than 3 times')
  expect(reached).toHaveLength(7)
})

test('what is too large, too late or not a picture is refused by its content', async () => {
  const endless: RequestListener = (_, answer) => {
    answer.write(picture)
    const more = () => {
      while (answer.write(Buffer.alloc(64 * 1024)));
      answer.once('drain', more)
    }
    more()
  }
  paths = {
    '/declared': (_, answer) =>
      void answer.writeHead(200, { 'content-length': pictureLimits.bytes + 1 }).write(picture),
    '/endless': endless,
    '/page': (_, answer) => void answer.writeHead(200, { 'content-type': 'image/png' }).end('<h1>'),
    '/slow': (_, answer) => void answer.write(picture),
    '/busy': (_, answer) => void answer.writeHead(503).end(),
    '/broken': (_, answer) => void answer.destroy(),
  }
  const at = (path: string) => `http://cdn.example${path}`
  await expect(fetchPicture(at('/declared'))).rejects.toMatchObject({ code: 'TOO_LARGE' })
  await expect(fetchPicture(at('/endless'))).rejects.toMatchObject({ code: 'TOO_LARGE' })
  await expect(fetchPicture(at('/page'))).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  await expect(fetchPicture(at('/none'))).rejects.toMatchObject({ code: 'INVALID' })
  await expect(fetchPicture(at('/busy'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(fetchPicture(at('/broken'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(pictureFetcher(net, 0.2)(at('/slow'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
