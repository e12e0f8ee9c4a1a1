/**
 * A minimal Node server: the same bytes and headers for every request. It sends its port to the
 * parent process.
 */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const [headers = '{}'] = process.argv.slice(2)
const body = await buffer(process.stdin)
const server = createServer((_, response) => {
  response.writeHead(200, JSON.parse(headers))
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
